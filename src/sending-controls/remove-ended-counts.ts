import { sql } from 'kysely';
import { sqlOf, type Database } from '../database.ts';

/** Counts that ended less than this time ago are kept, because the clocks of API and database may differ. */
const graceSeconds = 3600;
/** The maximum number of rows per statement, so that none holds its locks for long, and of statements per round. */
const rowsAtOnce = 1000;
const statementsPerRound = 100;

/** Removes the counts of hours and days that are over, in one round. A row that another worker is removing is skipped. */
export async function removeEndedCounts(
  database: Database,
  options: { rowsAtOnce?: number; signal?: AbortSignal } = {},
): Promise<void> {
  const limit = options.rowsAtOnce ?? rowsAtOnce;
  for (let statement = 0; statement < statementsPerRound && !options.signal?.aborted; statement += 1) {
    const { numAffectedRows } = await sql`
      with ended as (
        select organization_id, scope, window_start from sending_counts
        where window_end < now() - make_interval(secs => ${graceSeconds})
        order by window_end limit ${limit} for update skip locked
      )
      delete from sending_counts removed using ended
      where removed.organization_id = ended.organization_id and removed.scope = ended.scope
        and removed.window_start = ended.window_start
    `.execute(sqlOf(database));
    if (Number(numAffectedRows ?? 0) < limit) break;
  }
}
