import { ApiError } from '../errors.ts';

/**
 * Reads an expiry, which must lie ahead: a key that never works is a mistake. Errors: invalid_request.
 *
 * @param expiresAt a date-time that the validator let through (src/http/formats.ts)
 */
export function readExpiry(expiresAt: string | null): Date | null {
  if (expiresAt === null) return null;
  const at = new Date(expiresAt);
  if (at.getTime() > Date.now()) return at;
  throw new ApiError('invalid_request', 'The expiry has passed already; name a time to come, or none.', {
    errors: [{ path: '/body/expiresAt', code: 'in_the_past', message: 'must lie in the future' }],
  });
}
