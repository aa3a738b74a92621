import { sql } from 'kysely';
import { sqlOf, type Database } from '../../database.ts';

/** The lifetime of a session that is not used, and the time after which a use prolongs it. */
export const sessionExpiresInSeconds = 7 * 24 * 3600;
const prolongAfterSeconds = 24 * 3600;

/**
 * A session without "remember me" lasts a day (better-auth), and an impersonation an hour. A session with a lifetime up
 * to this value is never prolonged.
 */
const shortLivedSeconds = 2 * 24 * 3600;

/** Part of a select from `sessions s`: whether a day of the session has passed and it may be prolonged. */
export function isDueToBeProlonged(now: Date) {
  return sql<boolean>`(
    s.impersonated_by is null
    and s.expires_at > s.created_at + make_interval(secs => ${shortLivedSeconds})
    and s.expires_at <= ${now}::timestamptz + make_interval(secs => ${sessionExpiresInSeconds - prolongAfterSeconds})
  )`;
}

/**
 * Prolongs a session that is in use: at most one write per day. Of many concurrent requests, one writes.
 *
 * @returns whether this call prolonged the session
 */
export async function prolongSession(database: Database, id: string, now: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update sessions s
    set expires_at = ${now}::timestamptz + make_interval(secs => ${sessionExpiresInSeconds}), updated_at = ${now}
    where s.id = ${id} and s.expires_at > ${now} and ${isDueToBeProlonged(now)}
  `.execute(sqlOf(database));
  return numAffectedRows === 1n;
}
