import type { RequestHandler } from 'express';
import { ApiError, errorCatalogue } from '../../errors.ts';

/**
 * Refuses an HTTP/1.1 request without Host (RFC 9112, 3.2), and a request with an unsupported Expect header (RFC 9110,
 * 10.1.1). Node would refuse both with an empty body and no request id: `serverOptions` and `answerParserErrors` turn
 * that off.
 *
 * Errors: malformed_request, expectation_failed.
 */
export function checkHeaders(): RequestHandler {
  return (request, _response, next) => {
    const { host, expect } = request.headers;
    if (host === undefined && request.httpVersion === '1.1') {
      throw new ApiError('malformed_request', 'The request has no Host header.', { headers: closing });
    }
    if (expect !== undefined && expect.toLowerCase() !== '100-continue') {
      throw new ApiError('expectation_failed', errorCatalogue.expectation_failed.meaning, {
        headers: closing,
      });
    }
    next();
  };
}

/** The connection is closed, because the server cannot know whether this client sends a body next. */
const closing = { Connection: 'close' };
