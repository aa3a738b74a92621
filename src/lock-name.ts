import { sql } from 'kysely';
import type { Sql } from './database.ts';

/**
 * Locks a name until the transaction ends: of two transactions that lock the same name, the second waits. For work that
 * must be done by one transaction at a time when there is no row to lock.
 *
 * @param name what the lock is for, and then whose it is
 */
export async function lockName(db: Sql, name: readonly [purpose: string, ...owner: string[]]): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${JSON.stringify(name)}, 0))`.execute(db);
}

/**
 * Locks several names, of which another transaction may lock some too: always in the same order, so that the two never
 * wait for each other.
 */
export async function lockNames(
  db: Sql,
  names: readonly (readonly [purpose: string, ...owner: string[]])[],
): Promise<void> {
  const sorted = [...new Set(names.map((name) => JSON.stringify(name)))].toSorted();
  await sql`
    select pg_advisory_xact_lock(hashtextextended(name, 0)) from unnest(${sorted}::text[]) name
  `.execute(db);
}
