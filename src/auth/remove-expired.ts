import { sql } from 'kysely';
import { removeExpiredRejects } from '../contacts/remove-expired-rejects.ts';
import { sqlOf, type Database } from '../database.ts';
import type { Log } from '../log.ts';

const everyMs = 10 * 60_000;
/** What is over for less than this is left, for the clocks of API and database may differ. */
const graceSeconds = 3600;
/** What one statement removes at most, so that none holds its locks for long, and how many a round has. */
const rowsAtOnce = 1000;
const statementsPerRound = 100;

/**
 * Removes sessions and verifications that are over, and what imports rejected long ago, now and every ten minutes.
 * They are good for nothing, and without this only those that are asked for again would go. Any number of workers do it beside each other.
 */
export function startExpiryCleanUp(database: Database, log: Log): { stop: () => Promise<void> } {
  const stopped = new AbortController();
  const clean = () =>
    removeExpired(database, { signal: stopped.signal })
      .then(() => removeExpiredRejects(database, { signal: stopped.signal }))
      .catch((error: unknown) =>
        log.warn({ err: error }, 'what has expired was not removed; it is tried again'),
      );
  let round: Promise<unknown> = clean();
  const timer = setInterval(() => {
    round = round.then(clean);
  }, everyMs);
  return {
    stop: async () => {
      clearInterval(timer);
      stopped.abort();
      await round;
    },
  };
}

/** One round of it for sessions and verifications. A row that another worker is removing, or that is being prolonged, is passed over. */
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
