import { sql } from 'kysely';
import { sqlOf, type Database } from '../database.ts';
import type { Log } from '../log.ts';
import { repeatUntilStopped } from '../repeat-until-stopped.ts';
import { retentionHours } from './idempotency-key-use.ts';

const pauseMs = 60_000;

/** The maximum number of keys that one statement removes, so that none holds its locks for long. */
const removedAtOnce = 1000;

/**
 * Removes expired keys once a minute. Any number of workers can do this: each takes different rows. The expiry of a key
 * does not depend on the removal, which only frees space.
 */
export function startRemovingExpiredKeys(dependencies: { database: Database; log: Log; now: () => Date }): {
  stop: () => Promise<void>;
} {
  const { database, log, now } = dependencies;
  return repeatUntilStopped({
    pauseMs,
    round: async (stopping) => {
      while (!stopping.aborted && (await removeExpiredKeys(database, now())) === removedAtOnce);
    },
    onFailure: (error) =>
      log.warn({ err: error }, 'old idempotency keys were not removed; the removal is retried'),
  });
}

/** Removes keys older than 24 hours, oldest first. Returns their number, at most 1,000. */
export async function removeExpiredKeys(database: Database, now: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    with expired as (
      select organization_id, environment, route, key from idempotency_keys
      where created_at <= ${now}::timestamptz - make_interval(hours => ${retentionHours})
      order by created_at limit ${removedAtOnce} for update skip locked
    )
    delete from idempotency_keys held using expired
    where held.organization_id = expired.organization_id and held.environment = expired.environment
      and held.route = expired.route and held.key = expired.key
  `.execute(sqlOf(database));
  return Number(numAffectedRows ?? 0);
}
