import { ApiError } from '../errors.ts';

/**
 * Reads an expiry, which must be in the future: a key that never works is a mistake. Errors: invalid_request.
 *
 * @param expiresAt a date-time that the validator has accepted (src/http/contract/formats.ts)
 */
export function readExpiry(expiresAt: string | null): Date | null {
  if (expiresAt === null) return null;
  const at = new Date(expiresAt);
  if (at.getTime() > Date.now()) return at;
  throw new ApiError('invalid_request', 'The expiry is in the past. Set a time in the future, or none.', {
    errors: [{ path: '/body/expiresAt', code: 'in_the_past', message: 'must lie in the future' }],
  });
}
