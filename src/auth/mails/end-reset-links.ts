import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { tablesOf, type Database } from '../../database.ts';
import { lockUser } from '../lock-user.ts';
import type { Verification } from '../verification.entity.ts';

/**
 * Finds the user whose password is about to be set, and locks the user until the surrounding transaction ends: if two
 * links are used concurrently, the second one is found to be expired.
 *
 * @param by the user who has signed in, or the token of a reset link, which may be invalid
 * @returns null for an invalid token
 */
export async function lockPassword(
  database: Database,
  by: { userId: string } | { resetToken: string },
): Promise<string | null> {
  if ('userId' in by) return lockUser(database, by.userId);
  const named = tablesOf<typeof Verification>(database.em)
    .selectFrom('Verification')
    .select('value')
    .where('identifier', '=', storedIdentifier(by.resetToken))
    .limit(1);
  return lockUser(database, sql<string>`${named}::uuid`);
}

/** Ends the reset links of a user, so that an older link cannot replace a new password. */
export async function endResetLinks(database: Database, userId: string): Promise<void> {
  await tablesOf<typeof Verification>(database.em)
    .deleteFrom('Verification')
    .where('value', '=', userId)
    .execute();
}

/** The identifier that better-auth stores for a token (`storeIdentifier: 'hashed'`). */
function storedIdentifier(token: string): string {
  return createHash('sha256').update(`reset-password:${token}`).digest('base64url');
}
