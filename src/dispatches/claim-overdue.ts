import { sql, type RawBuilder } from 'kysely';
import { sqlOf, type Database } from '../database.ts';

/** Rows with a workflow, in a table that has `id` and `wake_at`, the time when the workflow is next expected to act. */
export interface WakingRows {
  table: RawBuilder<unknown>;
  /** The condition for rows that are not final. */
  open: RawBuilder<unknown>;
  /** The columns to return in addition to the id. */
  columns: RawBuilder<unknown>;
  /** A row is overdue if its workflow should have acted this many seconds ago. */
  overdueSeconds?: number;
  /** How long a taken row (aliased `taken`) is left alone, in seconds. */
  restartedSeconds?: RawBuilder<unknown>;
  /** The maximum number of rows of one round, so that the backlog of a long outage is processed in even steps. */
  rowsPerRound?: number;
}

/**
 * Takes the rows whose workflows did not act in time, those that have waited longest first: their start failed,
 * Temporal lost them, or no worker runs. If several workers sweep concurrently, each takes different rows. The caller
 * starts the workflow of each row it takes. If that fails too, the row becomes overdue again after the time for which
 * it is left alone.
 *
 * @param now the database's clock by default
 */
export async function claimOverdue<Row extends { id: string }>(
  database: Database,
  rows: WakingRows,
  now?: Date,
): Promise<Row[]> {
  const { table, open, columns, overdueSeconds = 10, restartedSeconds = sql`60`, rowsPerRound = 100 } = rows;
  const moment = now ? sql`${now}::timestamptz` : sql`now()`;
  const taken = await sql<Row>`
    with overdue as (
      select id from ${table}
      where ${open} and wake_at < ${moment} - make_interval(secs => ${overdueSeconds})
      order by wake_at limit ${rowsPerRound} for no key update skip locked
    )
    update ${table} taken set wake_at = ${moment} + make_interval(secs => ${restartedSeconds})
    from overdue where taken.id = overdue.id and ${open}
    returning taken.id, ${columns}
  `.execute(sqlOf(database));
  return taken.rows;
}
