import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { sqlOf, type Database } from '../database.ts';

/**
 * Finds whose password is about to be set, and keeps others from setting it until the transaction around this is over:
 * of two links that are used at the same moment the second is found to be over.
 *
 * @param by the user who has signed in, or the token of a reset link, which need not be one
 * @returns null for a token that is none
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

/** Ends the reset links of a user: a password that was just set is not to be replaced by a link from before. */
export async function endResetLinks(database: Database, userId: string): Promise<void> {
  await sql`delete from verifications where value = ${userId}`.execute(sqlOf(database));
}

/** What better-auth stores for a token (`storeIdentifier: 'hashed'`). */
function storedIdentifier(token: string): string {
  return createHash('sha256').update(`reset-password:${token}`).digest('base64url');
}
