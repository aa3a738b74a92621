import type { RequestHandler } from 'express';
import { ApiError, errorCatalogue } from '../errors.ts';

/**
 * Refuses a request of HTTP/1.1 that does not say to which host (RFC 9112, 3.2), and one that expects what is not
 * done here (RFC 9110, 10.1.1). Node would, with an empty body and no id: `serverOptions` and
 * `answerParserErrors` make it leave both to us.
 *
 * Errors: malformed_request, expectation_failed.
 */
export function checkHeaders(): RequestHandler {
  return (request, _response, next) => {
    const { host, expect } = request.headers;
    if (host === undefined && request.httpVersion === '1.1') {
      throw new ApiError('malformed_request', 'The request names no Host.', { headers: closing });
    }
    if (expect !== undefined && expect.toLowerCase() !== '100-continue') {
      throw new ApiError('expectation_failed', errorCatalogue.expectation_failed[1], { headers: closing });
    }
    next();
  };
}

/** Whether a body follows is not to be guessed of who speaks another HTTP than we. */
const closing = { Connection: 'close' };
