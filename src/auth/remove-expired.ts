import { sql } from 'kysely';
import { removeExpiredRejects } from '../contacts/remove-expired-rejects.ts';
import { sqlOf, type Database } from '../database.ts';
import type { Log } from '../log.ts';
import { repeatUntilStopped } from '../repeat-until-stopped.ts';

const pauseMs = 10 * 60_000;
/** What is over for less than this is left, for the clocks of API and database may differ. */
const graceSeconds = 3600;
/** What one statement removes at most, so that none holds its locks for long, and how many a round has. */
const rowsAtOnce = 1000;
const statementsPerRound = 100;

/**
 * Removes sessions and verifications that are over, and what imports rejected long ago, now and every ten minutes.
 * They are good for nothing, and without this only those that are asked for again would go. Any number of
 * workers do it beside each other.
 */
export function startExpiryCleanUp(database: Database, log: Log): { stop: () => Promise<void> } {
  return repeatUntilStopped({
    pauseMs,
    round: async (signal) => {
      await removeExpired(database, { signal });
      await removeExpiredRejects(database, { signal });
    },
    onFailure: (error) => log.warn({ err: error }, 'what has expired was not removed; it is tried again'),
  });
}

/**
 * One round of it for sessions and verifications. A row that another worker is removing, or that is being
 * prolonged, is passed over.
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
