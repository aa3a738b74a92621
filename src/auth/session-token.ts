import { createHash } from 'node:crypto';

/**
 * Makes what stands in the table for a session's token, so that who reads the database has no session. A token has
 * 190 bits, which nobody guesses; a slow hash, or a salt, would add nothing.
 *
 * @returns SHA-256 in hexadecimal
 */
export function hashSessionToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
