import { sql, type RawBuilder } from 'kysely';
import type { Sql } from '../database.ts';

/** The tables of one kind of counts. All have the same keys and counters. */
interface CountTables {
  /** Changes that are not folded in yet. */
  deltas: string;
  /** Counts of each slot. */
  counts: string;
  /** Sums of each rolled-up day; `slot` is its first. */
  dayCounts: string;
  keys: readonly string[];
  counters: readonly string[];
}

export const countTables: readonly CountTables[] = [
  {
    deltas: 'message_count_deltas',
    counts: 'message_counts',
    dayCounts: 'message_day_counts',
    keys: ['organization_id', 'environment', 'slot', 'sender', 'bulk_batch_id', 'error_code'],
    counters: ['queued', 'accepted', 'sent', 'delivered', 'failed', 'cancelled', 'segments'],
  },
  {
    deltas: 'delivery_time_deltas',
    counts: 'delivery_time_counts',
    dayCounts: 'delivery_time_day_counts',
    keys: ['organization_id', 'environment', 'slot', 'sender', 'bucket'],
    counters: ['messages'],
  },
];

/** Writes each name, by itself or as `write` does it, as SQL. */
export function list(
  names: readonly string[],
  write = (name: string): string => name,
  separator = ', ',
): RawBuilder<unknown> {
  return sql.raw(names.map(write).join(separator));
}

/**
 * Lets one transaction at a time change counts, until it ends: two would wait for each other's rows, or deadlock, and
 * a day that is summed up while its counts change would miss the change. Statements that follow see what was committed
 * before.
 */
export async function lockCounts(db: Sql): Promise<void> {
  await sql`select pg_advisory_xact_lock(${countsLock})`.execute(db);
}

/** Like `lockCounts`, but returns false instead of waiting. */
export async function tryLockCounts(db: Sql): Promise<boolean> {
  const { rows } = await sql<{ isOurs: boolean }>`
    select pg_try_advisory_xact_lock(${countsLock}) as "isOurs"
  `.execute(db);
  return rows[0]!.isOurs;
}

const countsLock = sql`hashtextextended('message_counts', 0)`;
