import { sql } from 'kysely';
import { sqlOf, type Database } from '../database.ts';
import { errorCatalogue } from '../errors.ts';
import { isBanned } from './sessions/find-session.ts';

/**
 * Creates better-auth's check of a user whom a provider has identified: a banned user links no account. Linking starts
 * with a session, which a ban closes, but it may end up to ten minutes later, when the provider sends the browser back.
 * Signing in needs no check here, because better-auth creates no session for a banned user.
 *
 * @returns the error with which the browser is redirected, the same as at a sign-in
 */
export function createBannedLinkRefusal(dependencies: { database: Database; now: () => Date }) {
  const { database, now } = dependencies;
  return async (identified: {
    user: { id?: unknown };
    source: { action: string };
  }): Promise<{ error: string; errorDescription: string } | undefined> => {
    if (identified.source.action !== 'link-account') return undefined;
    const { rows } = await sql<{ banned: boolean }>`
      select ${isBanned(now())} as banned from users u where u.id = ${identified.user.id}
    `.execute(sqlOf(database));
    return rows[0]?.banned
      ? { error: 'BANNED_USER', errorDescription: errorCatalogue.banned.meaning }
      : undefined;
  };
}
