import { isUtf8 } from 'node:buffer';
import type { RequestHandler } from 'express';
import { ApiError } from '../errors.ts';

/**
 * Reads the key from the header Idempotency-Key, before its length is validated against openapi.yaml. Two headers are
 * refused: Node would join them to a third value that the client did not send. A value beyond ASCII is read as UTF-8,
 * so that its length is counted in characters: Node decodes headers byte by byte, as Latin 1. Bytes that are not UTF-8
 * stay Latin 1, which browsers send.
 *
 * Errors: invalid_request.
 */
export function readKeyHeader(): RequestHandler {
  return (request, _response, next) => {
    const [given, second] = request.headersDistinct['idempotency-key'] ?? [];
    if (given === undefined || !request.operation.takesIdempotencyKey) return next();
    if (second !== undefined) {
      throw new ApiError(
        'invalid_request',
        'The request has several Idempotency-Key headers. Send only one.',
        {
          errors: [
            { path: '/headers/idempotency-key', code: 'too_many', message: 'must not come more than once' },
          ],
        },
      );
    }
    const bytes = Buffer.from(given, 'latin1');
    if (isUtf8(bytes)) request.headers['idempotency-key'] = bytes.toString('utf8');
    next();
  };
}
