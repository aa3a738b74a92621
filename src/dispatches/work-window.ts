/** What work asks of the activity it runs in. */
export interface WorkContext {
  /** Tells Temporal that the work lives. */
  heartbeat: () => void;
  /** Whether the worker is to stop: then nothing new is begun. */
  stopping: () => boolean;
}

/** A beat well within the activities' heartbeat timeout, however long one piece of work takes. */
const heartbeatMs = 2000;

/**
 * Works on rows as they are claimed, so many at a time, until none is left to claim.
 *
 * Half of the places are refilled at a time: a claim is for many rows then, and no row waits for the slowest.
 * Rejects with the first failure of `work` once all that was begun has ended; what was claimed and not
 * written comes due again by its own claim.
 */
export async function workWindow<Row>(
  context: WorkContext,
  options: {
    concurrency: number;
    claim: (limit: number) => Promise<Row[]>;
    work: (row: Row) => Promise<void>;
  },
): Promise<void> {
  const { concurrency, claim, work } = options;
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  const beat = setInterval(context.heartbeat, heartbeatMs);
  try {
    for (;;) {
      const idle = context.stopping() || failures.length > 0;
      const rows = idle ? [] : await claim(concurrency - running.size);
      for (const row of rows) {
        const piece: Promise<void> = work(row)
          .catch((error: unknown) => void failures.push(error))
          .finally(() => running.delete(piece));
        running.add(piece);
      }
      if (running.size === 0) break;
      const refillAt = rows.length === 0 ? running.size - 1 : Math.floor(concurrency / 2);
      while (running.size > refillAt) await Promise.race(running);
    }
  } finally {
    clearInterval(beat);
  }
  if (failures.length > 0) throw failures[0];
}
