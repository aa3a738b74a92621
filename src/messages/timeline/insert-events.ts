import { sql, type RawBuilder } from 'kysely';

/**
 * The statement that adds entries to timelines, for a CTE.
 *
 * @param entries a `select` of organization, message, time, kind, status (null if the entry did not change it) and
 *   details, in the order of the entries
 */
export function insertEvents(entries: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`insert into message_events (organization_id, message_id, at, kind, status, details) ${entries}`;
}
