import { ApiError } from '../errors.ts';
import type { Environment } from '../principal.ts';

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

/**
 * The expiry of a key that names none. Test keys reach no gateway, so they never expire by themselves.
 *
 * @param liveKeyDays undefined: live keys do not expire by themselves either
 */
export function defaultExpiry(environment: Environment, liveKeyDays: number | undefined): Date | null {
  if (environment !== 'live' || liveKeyDays === undefined) return null;
  return new Date(Date.now() + liveKeyDays * 24 * 3600_000);
}
