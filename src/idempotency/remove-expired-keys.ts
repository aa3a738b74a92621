import { sql } from 'kysely';
import { sqlOf, type Database } from '../database.ts';
import type { Log } from '../log.ts';
import { repeatUntilStopped } from '../repeat-until-stopped.ts';
import { retentionHours } from './idempotency-claim.ts';

const pauseMs = 60_000;

/** Keys that one statement removes at most, so that none holds its locks for long. */
const removedAtOnce = 1000;

/**
 * Removes keys that are free again, once a minute. Any number of workers may do so: each takes other rows.
 * Whether a key is free does not depend on it; this is for room only.
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
      log.warn({ err: error }, 'old idempotency keys were not removed; it is tried again'),
  });
}

/** Removes keys older than 24 hours, the oldest first, and answers how many: at most 1,000. */
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
