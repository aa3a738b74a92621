import { context, SpanKind, SpanStatusCode, trace, TraceFlags, ROOT_CONTEXT } from '@opentelemetry/api';
import type { RequestHandler } from 'express';
import { contextOf, startSpan } from '../../tracing.ts';

/**
 * Records a server span for each request, in the trace of the caller's `traceparent` or in a new one. Its name is the
 * operation's. It has neither the target nor a header of the request, because they contain numbers and tokens.
 *
 * A request that is not recorded and has no `traceparent` has no context, so nothing is stored for its message.
 */
export function traceRequests(): RequestHandler {
  return (request, response, next) => {
    const { method } = request;
    const caller = contextOf(request.headers['traceparent']);
    const parent = caller ?? ROOT_CONTEXT;
    const span = startSpan(
      method,
      {
        kind: SpanKind.SERVER,
        attributes: { 'http.request.method': method, 'sms.request.id': request.id },
        links: undefined,
      },
      parent,
    );
    const isRecorded = (span.spanContext().traceFlags & TraceFlags.SAMPLED) !== 0;
    if (!isRecorded && !caller) return next();
    response.once('close', () => {
      // Streams stay open for hours by design. A span that never ends is not exported.
      if (response.getHeader('Content-Type') === 'text/event-stream') return;
      const { statusCode } = response;
      // The operation is missing if an earlier handler responded.
      const operation = request.operation as typeof request.operation | undefined;
      if (operation) span.updateName(operation.operationId).setAttribute('http.route', operation.path);
      span.setAttribute('http.response.status_code', statusCode);
      if (statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    });
    context.with(trace.setSpan(parent, span), next);
  };
}
