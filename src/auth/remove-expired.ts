import { sql } from 'kysely';
import { sqlOf, type Database } from '../database.ts';

/** What is over for less than this is left, for the clocks of API and database may differ. */
const graceSeconds = 3600;
/** What one statement removes at most, so that none holds its locks for long, and how many a round has. */
const rowsAtOnce = 1000;
const statementsPerRound = 100;

/**
 * Removes sessions and verifications that are over: one round of it. A row that another worker is removing, or that is
 * being prolonged, is passed over.
 */
export async function removeExpired(
  database: Database,
  options: { rowsAtOnce?: number; signal?: AbortSignal } = {},
): Promise<void> {
  const limit = options.rowsAtOnce ?? rowsAtOnce;
  for (const table of [sql.table('sessions'), sql.table('verifications')]) {
    for (let statement = 0; statement < statementsPerRound && !options.signal?.aborted; statement += 1) {
      const { numAffectedRows } = await sql`
        with expired as (
          select id from ${table} where expires_at < now() - make_interval(secs => ${graceSeconds})
          order by expires_at limit ${limit} for update skip locked
        )
        delete from ${table} removed using expired where removed.id = expired.id
      `.execute(sqlOf(database));
      if (Number(numAffectedRows ?? 0) < limit) break;
    }
  }
}
