import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Sql } from '../database.ts';
import type { DispatchedRows } from './dispatched-rows.ts';
import { prepared } from '../prepared-statements.ts';
import { insertDispatch } from './insert-dispatch.ts';

/** The time after its start when a dispatch is first checked. Its first activity sets the next time. */
const firstWakeSeconds = 10;

/**
 * Creates a dispatch and assigns to it those of the given rows that have none yet. It is one statement, so API and
 * sweep can run concurrently. The dispatch takes its id from a row that this statement assigns. The id of any other
 * row could belong to a running dispatch, which would not look for new rows. A row that is processed for the second
 * time, such as a redriven delivery, may have given its id to its earlier dispatch. Then another row gives its id, or,
 * if none can, the id is a new one.
 *
 * @returns the dispatch, or null if no row was left to assign
 */
export async function assignRows(
  db: Sql,
  { kind, table, assignable }: DispatchedRows,
  ids: string[],
): Promise<{ dispatchId: string; organizationIds: string[]; rows: number } | null> {
  const { rows } = await sql<{
    id: string;
    organization_ids: string[];
    assigned: number;
  }>`${prepared('assign_rows')}
    with free as (
      select id, organization_id from ${table} candidate
      where id = any(${ids}::uuid[]) and dispatch_id is null and ${assignable}
      order by id for no key update skip locked
    ), first as (
      select coalesce(
        (select id from free
          where not exists (select from dispatches where dispatches.id = free.id and kind = ${kind})
          order by id limit 1),
        ${uuidv7()}
      ) as id
      where exists (select from free)
    ), assigned as (
      update ${table} assigned set dispatch_id = first.id from free, first where assigned.id = free.id
    )
    ${insertDispatch(
      kind,
      {
        id: sql`first.id`,
        organizationIds: sql`(
          select coalesce(array_agg(distinct organization_id) filter (where organization_id is not null), '{}') from free
        )`,
        isBulk: false,
        createdAt: sql`now()`,
        wakeSeconds: firstWakeSeconds,
      },
      sql`from first`,
    )}
    returning id, organization_ids, (select count(*)::int from free) as assigned
  `.execute(db);
  const row = rows[0];
  return row ? { dispatchId: row.id, organizationIds: row.organization_ids, rows: row.assigned } : null;
}
