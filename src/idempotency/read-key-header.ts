import { isUtf8 } from 'node:buffer';
import type { RequestHandler } from 'express';
import { ApiError } from '../errors.ts';

/**
 * Makes of the header Idempotency-Key one key, before its length is held against openapi.yaml. Two of them are
 * refused: Node joins them to a third that nobody sent. Where it is not ASCII it is read as UTF-8, so that its
 * characters are counted: Node gives a header byte by byte, as Latin 1. Bytes that are no UTF-8 stay Latin 1, as
 * browsers send them.
 *
 * Errors: invalid_request.
 */
export function readKeyHeader(): RequestHandler {
  return (request, _response, next) => {
    const [given, second] = request.headersDistinct['idempotency-key'] ?? [];
    if (given === undefined || !request.operation.takesIdempotencyKey) return next();
    if (second !== undefined) {
      throw new ApiError('invalid_request', 'Send one Idempotency-Key; this request has several.', {
        errors: [
          { path: '/headers/idempotency-key', code: 'too_many', message: 'must not come more than once' },
        ],
      });
    }
    const bytes = Buffer.from(given, 'latin1');
    if (isUtf8(bytes)) request.headers['idempotency-key'] = bytes.toString('utf8');
    next();
  };
}
