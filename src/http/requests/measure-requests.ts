import type { RequestHandler } from 'express';
import { metrics } from '../../metrics.ts';

/** Measures each request by the operation that it was matched with; `none` if it matches no operation. */
export function measureRequests(): RequestHandler {
  return (request, response, next) => {
    const startedAt = performance.now();
    response.once('close', () => {
      // The operation is missing if an earlier handler responded. Streams stay open for hours by design.
      const operation = (request.operation as typeof request.operation | undefined)?.operationId ?? 'none';
      if (response.getHeader('Content-Type') === 'text/event-stream') return;
      metrics.requestDuration.observe(
        { operation, status: response.statusCode },
        (performance.now() - startedAt) / 1000,
      );
    });
    next();
  };
}
