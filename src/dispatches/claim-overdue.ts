import { sql, type RawBuilder } from 'kysely';
import { sqlOf, type Database } from '../database.ts';

/** Rows with a workflow, in a table that has `id` and `wake_at`, when the workflow is next expected to act. */
export interface WakingRows {
  table: RawBuilder<unknown>;
  /** Which rows are not at their end. */
  open: RawBuilder<unknown>;
  /** What is wanted of each besides its id. */
  columns: RawBuilder<unknown>;
  /** A row is overdue when its workflow should have acted this long ago. */
  overdueSeconds?: number;
  /** How long one that was taken, as `taken`, is left alone: a number of seconds. */
  restartedSeconds?: RawBuilder<unknown>;
  /** What one round takes at most, so that a long outage is worked off in even steps. */
  rowsPerRound?: number;
}

/**
 * Takes the rows whose workflows did not act when they should have, those that wait longest first: their start
 * failed, or Temporal lost them, or no worker runs. Of any number of workers that sweep, each takes other rows; who
 * takes one starts its workflow, and if that fails too, the row is overdue again when it was left alone long enough.
 *
 * @param now unless given, the database's clock
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
