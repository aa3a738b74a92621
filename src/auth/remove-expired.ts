import { sql } from 'kysely';
import { sqlOf, type Database } from '../database.ts';

/** Rows that expired less than this time ago are kept, because the clocks of API and database may differ. */
const graceSeconds = 3600;
/** The maximum number of rows per statement, so that none holds its locks for long, and of statements per round. */
const rowsAtOnce = 1000;
const statementsPerRound = 100;

const tables = ['sessions', 'verifications', 'known_devices', 'security_events'];

/**
 * Removes expired sessions, verifications, known devices and security events, in one round. A row that another worker is removing, or that is being
 * prolonged, is skipped.
 */
export async function removeExpired(
  database: Database,
  options: { rowsAtOnce?: number; signal?: AbortSignal } = {},
): Promise<void> {
  const limit = options.rowsAtOnce ?? rowsAtOnce;
  for (const table of tables.map((name) => sql.table(name))) {
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
