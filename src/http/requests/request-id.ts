import type { RequestHandler } from 'express';
import { validate } from 'uuid';
import type { Log } from '../../log.ts';
import { makeTimeOrderedId } from '../../time-ordered-id.ts';

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace
  namespace Express {
    interface Request {
      id: string;
    }
  }
}

/**
 * Assigns an id to each request, sends it as X-Request-Id, and logs the method, path and status when the response is
 * complete. The query is not logged, because callbacks carry phone numbers and a token in it. Path segments that may be
 * a number or a token are not logged either.
 */
export function assignRequestId(log: Log): RequestHandler {
  return (request, response, next) => {
    request.id = makeTimeOrderedId(new Date());
    response.set('X-Request-Id', request.id);
    const startedAt = performance.now();
    const { method, path: requested } = request;
    response.once('close', () => {
      const isFailure = response.statusCode >= 500;
      if (!isFailure && !log.isLevelEnabled('debug')) return;
      const path = requested.split('/').map(showSegment).join('/');
      const durationMs = Math.round(performance.now() - startedAt);
      const facts = { requestId: request.id, method, path, status: response.statusCode, durationMs };
      if (isFailure) log.error(facts, 'request failed');
      else log.debug(facts, 'request answered');
    });
    next();
  };
}

/** The words that paths consist of, including `v1` and `swagger-ui-5.31.0`. */
const word = /^[a-z][a-z.-]*(?:\d{1,2}[a-z.-]*){0,3}$/;

/** Words and ids are shown. Others may be the phone number of a suppression or the token of a mail's link. */
function showSegment(segment: string): string {
  return segment === '' || validate(segment) || word.test(segment) ? segment : '…';
}
