import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { sqlOf, type Database } from '../database.ts';

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
  const userId =
    'userId' in by
      ? sql`${by.userId}`
      : sql`(select value from verifications where identifier = ${storedIdentifier(by.resetToken)} limit 1)`;
  const { rows } = await sql<{ id: string }>`
    select id from users where id = ${userId}::uuid for no key update
  `.execute(sqlOf(database));
  return rows[0]?.id ?? null;
}

/** Ends the reset links of a user, so that an older link cannot replace a new password. */
export async function endResetLinks(database: Database, userId: string): Promise<void> {
  await sql`delete from verifications where value = ${userId}`.execute(sqlOf(database));
}

/** The identifier that better-auth stores for a token (`storeIdentifier: 'hashed'`). */
function storedIdentifier(token: string): string {
  return createHash('sha256').update(`reset-password:${token}`).digest('base64url');
}
