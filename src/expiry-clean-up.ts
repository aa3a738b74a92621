import { removeExpired } from './auth/remove-expired.ts';
import { removeExpiredRejects } from './contacts/import/remove-expired-rejects.ts';
import type { Database } from './database.ts';
import type { Log } from './log.ts';
import { repeatUntilStopped } from './repeat-until-stopped.ts';
import { removeEndedCounts } from './sending-controls/remove-ended-counts.ts';

const pauseMs = 10 * 60_000;

/**
 * Removes expired sessions and verifications, old rejected rows of imports, and counts of hours and days that are over,
 * now and every ten minutes. They have no further use, and otherwise only those that are read again would be removed.
 * Any number of workers may do this concurrently.
 */
export function startExpiryCleanUp({ database, log }: { database: Database; log: Log }): {
  stop: () => Promise<void>;
} {
  return repeatUntilStopped({
    pauseMs,
    round: async (signal) => {
      await removeExpired(database, { signal });
      await removeExpiredRejects(database, { signal });
      await removeEndedCounts(database, { signal });
    },
    onFailure: (error) =>
      log.warn({ err: error }, 'expired rows were not removed; the removal will be retried'),
  });
}
