import type { RequestHandler } from 'express';
import { validate, v7 as uuidv7 } from 'uuid';
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
 * path and status. The query is left out, for callbacks carry numbers and a token in it; so is what in the path
 * may be one.
 */
export function assignRequestId(log: Log): RequestHandler {
  return (request, response, next) => {
    request.id = uuidv7();
    response.set('X-Request-Id', request.id);
    const startedAt = performance.now();
    const { method } = request;
    const path = request.path.split('/').map(showSegment).join('/');
    response.once('close', () => {
      const durationMs = Math.round(performance.now() - startedAt);
      const facts = { requestId: request.id, method, path, status: response.statusCode, durationMs };
      if (response.statusCode >= 500) log.error(facts, 'request failed');
      else log.debug(facts, 'request answered');
    });
    next();
  };
}

/** The words that paths are made of, `v1` and `swagger-ui-5.31.0` among them. */
const word = /^[a-z][a-z.-]*(?:\d{1,2}[a-z.-]*){0,3}$/;

/** Words and ids are shown; anything else may be a number of a suppression, or the token of a mail's link. */
function showSegment(segment: string): string {
  return segment === '' || validate(segment) || word.test(segment) ? segment : '…';
}
