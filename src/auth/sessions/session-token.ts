import { createHash } from 'node:crypto';

/**
 * Computes the hash that is stored in place of a session's token, so that read access to the database gives no session.
 * A token has 190 bits and cannot be guessed; a slow hash or a salt would add nothing.
 *
 * @returns SHA-256 in hexadecimal
 */
export function hashSessionToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
