import { sql } from 'kysely';
import { shownRows, type DispatchProgress } from '../../workflows/contract.ts';
import type { Sql } from '../database.ts';
import { prepared } from '../prepared-statements.ts';
import type { DispatchedRows } from './dispatched-rows.ts';
import { toIsoTime } from '../stored-rows.ts';

/**
 * The maximum time between two checks of a dispatch by the sweep, even if its next row is due later. A workflow that an
 * operator terminated, or that Temporal lost, is started again within this time. An accepted message, for example, is
 * due only after 72 hours.
 */
export const unseenSeconds = 3600;

/**
 * Records the progress of a dispatch after its activity processed the due rows, so that the sweep knows when the
 * workflow is next expected to act. A dispatch without open rows is complete.
 */
export async function recordProgress(
  db: Sql,
  { kind, table, open, lastReason }: DispatchedRows,
  dispatchId: string,
  now: Date,
): Promise<DispatchProgress> {
  const { rows } = await sql<{
    counts: Record<string, number>;
    nextDueAt: string | null;
    open: DispatchProgress['open'] | null;
  }>`${prepared('record_progress')}
    with row as (
      select id, status, attempts, due_at, ${open} as open from ${table} where dispatch_id = ${dispatchId}
    ), next as (
      select min(due_at) as due_at, count(*) as open from row where open
    ), noted as (
      update dispatches set
        wake_at = least(coalesce(next.due_at, wake_at), ${now}::timestamptz + make_interval(secs => ${unseenSeconds})),
        started_at = coalesce(started_at, ${now}::timestamptz),
        settled_at = case when next.open = 0 then ${now}::timestamptz end
      from next where dispatches.id = ${dispatchId} and kind = ${kind} and settled_at is null
    )
    select
      (select json_object_agg(status, rows) from (select status, count(*) as rows from row group by 1) counted) as counts,
      (select due_at from next) as "nextDueAt",
      (select json_agg(json_build_object('id', id, 'status', status, 'attempts', attempts, 'dueAt', due_at,
          'lastReason', ${lastReason}))
        from (select * from row where open order by due_at, id limit ${shownRows}) first_due) as open
  `.execute(db);
  const row = rows[0]!;
  return {
    counts: row.counts ?? {},
    nextDueAt: toIsoTime(row.nextDueAt),
    open: (row.open ?? []).map((one) => ({ ...one, dueAt: toIsoTime(one.dueAt) })),
  };
}
