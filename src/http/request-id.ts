import type { RequestHandler } from 'express';
import { v7 as uuidv7 } from 'uuid';
import type { Log } from '../log.ts';

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace
  namespace Express {
    interface Request {
      id: string;
    }
  }
}

/**
 * Gives each request its id, echoed as X-Request-Id, and its line in the log once it is answered: method,
 * path and status. The query is left out, for callbacks carry numbers and a token in it.
 */
export function nameRequest(log: Log): RequestHandler {
  return (request, response, next) => {
    request.id = uuidv7();
    response.set('X-Request-Id', request.id);
    const startedAt = performance.now();
    const { method, path } = request;
    response.once('close', () => {
      const durationMs = Math.round(performance.now() - startedAt);
      const facts = { requestId: request.id, method, path, status: response.statusCode, durationMs };
      if (response.statusCode >= 500) log.error(facts, 'request failed');
      else log.debug(facts, 'request answered');
    });
    next();
  };
}
