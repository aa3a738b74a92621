import { sql } from 'kysely';
import { sqlOf, type Database } from '../database.ts';
import { metrics } from '../metrics.ts';
import type { WakingRows } from './claim-overdue.ts';
import type { DispatchedRows } from './dispatched-rows.ts';

/** Enough to show that rows pile up. Counting more would read more of the index at each scrape. */
const countedRows = 10_000;

/** Measures how many rows of a kind have no dispatch, from the index that the sweep uses. */
export async function measureRowsWithoutDispatch(
  database: Database,
  { kind, table, assignable }: DispatchedRows,
): Promise<void> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from ${table} candidate where dispatch_id is null and ${assignable} limit ${countedRows}
    ) waiting
  `.execute(sqlOf(database));
  metrics.rowsWithoutDispatch.set({ kind }, rows[0]!.count);
}

/** The number of dispatches in which due rows are looked for, those first whose workflow should act first. */
const searchedDispatches = 200;

/** A dispatch that the sweep just restarted is left alone for this time, but its rows are due. */
const restartedSeconds = 61;

/**
 * Measures how long the row that is due for the longest time has waited. Dispatches that wait for reports or retries
 * are not read, because their next row is due later.
 */
export async function measureOldestDue(
  database: Database,
  { kind, table, open, assignable }: DispatchedRows,
): Promise<void> {
  const { rows } = await sql<{ seconds: number }>`
    with awake as (
      select id from dispatches
      where kind = ${kind} and settled_at is null and wake_at < now() + make_interval(secs => ${restartedSeconds})
      order by wake_at limit ${searchedDispatches}
    ), due as (
      select min(due_at) as due_at from ${table} where dispatch_id in (select id from awake) and ${open}
      union all
      select min(due_at) from (
        select due_at from ${table} candidate where dispatch_id is null and ${assignable} limit ${countedRows}
      ) waiting
    )
    select greatest(coalesce(extract(epoch from now() - min(due_at)), 0), 0)::float8 as seconds from due
  `.execute(sqlOf(database));
  metrics.oldestDue.set({ kind }, rows[0]!.seconds);
}

/** Measures how late the workflow of a row is, for rows that have a workflow of their own. */
export async function measureOldestWake(
  database: Database,
  kind: string,
  { table, open }: Pick<WakingRows, 'table' | 'open'>,
): Promise<void> {
  const { rows } = await sql<{ seconds: number }>`
    select coalesce(extract(epoch from now() - min(wake_at)), 0)::float8 as seconds
    from ${table} where ${open} and wake_at < now()
  `.execute(sqlOf(database));
  metrics.oldestDue.set({ kind }, rows[0]!.seconds);
}
