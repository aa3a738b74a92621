import { sql, type RawBuilder } from 'kysely';
import type { Redrive } from './redrive.entity.ts';

/**
 * Selects the rows that a page examines: the next rows after the redrive's cursor, by time of creation. The rest of the
 * filter is applied to these rows and is not part of the search. So a page costs the same even if few rows match.
 *
 * Rows that were created after the redrive was requested are excluded. Otherwise a redrive whose filter ends in the
 * future would find its own messages after they have failed, and send them again forever.
 *
 * @param table aliased as `candidate`; an index orders its rows of this status by (organization,) time and id
 */
export function rowsBeyondCursor(
  table: RawBuilder<unknown>,
  status: 'failed' | 'dead',
  redrive: Redrive,
  rows: number,
): RawBuilder<unknown> {
  const { organizationId, cursorAt, cursorId, createdTo, createdAt } = redrive;
  const until = createdTo < createdAt ? createdTo : createdAt;
  return sql`
    select candidate.* from ${table} candidate
    where status = ${sql.lit(status)}
      and ${organizationId === null ? sql`true` : sql`organization_id = ${organizationId}`}
      and (created_at, id) > (${cursorAt}::timestamptz, ${cursorId}::uuid) and created_at < ${until}
    order by created_at, id limit ${rows}`;
}
