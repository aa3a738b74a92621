import { sql } from 'kysely';
import { sqlOf, type Database } from '../database.ts';

/** How long a session lasts unless it is used, and after how much of that a use prolongs it. */
export const sessionExpiresInSeconds = 7 * 24 * 3600;
const prolongAfterSeconds = 24 * 3600;

/**
 * A session for which nobody asked to be remembered lasts a day (better-auth), and an impersonation an hour:
 * what was made to last no longer than this is never prolonged.
 */
const shortLivedSeconds = 2 * 24 * 3600;

/** As part of a select from `sessions s`: whether the session has been used up by a day and may be prolonged. */
export function isDueToBeProlonged(now: Date) {
  return sql<boolean>`(
    s.impersonated_by is null
    and s.expires_at > s.created_at + make_interval(secs => ${shortLivedSeconds})
    and s.expires_at <= ${now}::timestamptz + make_interval(secs => ${sessionExpiresInSeconds - prolongAfterSeconds})
  )`;
}

/**
 * Prolongs a session that is in use: one write a day at most, of many requests that come together one writes.
 *
 * @returns whether this call was the one that did
 */
export async function prolongSession(database: Database, id: string, now: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update sessions s
    set expires_at = ${now}::timestamptz + make_interval(secs => ${sessionExpiresInSeconds}), updated_at = ${now}
    where s.id = ${id} and s.expires_at > ${now} and ${isDueToBeProlonged(now)}
  `.execute(sqlOf(database));
  return numAffectedRows === 1n;
}
