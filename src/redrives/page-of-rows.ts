import { sql, type RawBuilder } from 'kysely';
import type { Redrive } from './redrive.entity.ts';

/**
 * Selects the rows that a page looks at: the next ones beyond the redrive's cursor, by time of creation. What
 * else the filter asks for is judged of these, not sought: so a page costs the same however rare what fits is.
 *
 * A row that was created after the redrive was asked for is none of its own. Or a redrive whose filter ends in
 * the future would find its own messages, once they have failed, and send them again for ever.
 *
 * @param table aliased `candidate`; an index holds its rows of this status by (organization and) time and id
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
