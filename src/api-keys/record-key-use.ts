import { sql } from 'kysely';
import { sqlOf, type Database } from '../database.ts';
import type { Log } from '../log.ts';
import { recordset } from '../recordset.ts';

/** How often the uses of keys are written. `lastUsedAt` need not be exact: it shows on which day a key was used. */
const writeEveryMs = 5_000;

/**
 * Updates `lastUsedAt` of keys without a write for each request: uses are collected in memory and written together. A
 * killed process loses its collected uses, which only makes a time wrong by seconds.
 */
export function createKeyUseRecorder(
  database: Database,
  log: Log,
): { note: (keyId: string) => void; flush: () => Promise<void>; stop: () => Promise<void> } {
  let used = new Map<string, Date>();
  const flush = async (): Promise<void> => {
    if (used.size === 0) return;
    const uses = [...used].map(([id, at]) => ({ id, at }));
    used = new Map();
    await sql`
      update api_keys set last_used_at = use.at
      from ${recordset(uses, 'use', { id: 'uuid', at: 'timestamptz' })}
      where api_keys.id = use.id and (last_used_at is null or last_used_at < use.at)
    `.execute(sqlOf(database));
  };
  const timer = setInterval(() => {
    flush().catch((error: unknown) => log.warn({ err: error }, 'the last use of keys was not written'));
  }, writeEveryMs);
  timer.unref();
  return {
    note: (keyId) => void used.set(keyId, new Date()),
    flush,
    stop: async () => {
      clearInterval(timer);
      await flush();
    },
  };
}
