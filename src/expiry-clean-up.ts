import { removeExpired } from './auth/remove-expired.ts';
import { removeExpiredRejects } from './contacts/remove-expired-rejects.ts';
import type { Database } from './database.ts';
import type { Log } from './log.ts';
import { repeatUntilStopped } from './repeat-until-stopped.ts';

const pauseMs = 10 * 60_000;

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
