/** What work asks of the activity it runs in. */
export interface WorkContext {
  /** Tells Temporal that the work lives. */
  heartbeat: () => void;
  /** Whether the worker is to stop: then nothing new is begun. */
  stopping: () => boolean;
}

/** How long rows that come due meanwhile may wait for work that is slow to end, unless told otherwise. */
const usualLookAgainMs = 500;

/** A beat well within the activities' heartbeat timeout, however long one piece of work takes. */
const heartbeatMs = 2000;

/**
 * Works on rows as they are claimed, so many at a time, until none is left to claim.
 *
 * Half of the places are refilled at a time: a claim is for many rows then, and no row waits for the slowest.
 * Rejects with the first failure of `work` once all that was begun has ended; what was claimed and not
 * written comes due again by its own claim.
 */
export async function processConcurrently<Row>(
  context: WorkContext,
  options: {
    concurrency: number;
    claim: (limit: number) => Promise<Row[]>;
    work: (row: Row) => Promise<void>;
    /** How long to wait before the next claim when the last gave nothing and work is under way. */
    lookAgainMs?: () => number;
  },
): Promise<void> {
  const { concurrency, claim, work, lookAgainMs = () => usualLookAgainMs } = options;
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  const heartbeat = setInterval(context.heartbeat, heartbeatMs);
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
      await (rows.length === 0 ? someEndOrTimePasses(running, lookAgainMs()) : halfEnd(running, concurrency));
    }
  } finally {
    clearInterval(heartbeat);
  }
  if (failures.length > 0) throw failures[0];
}

async function halfEnd(running: Set<Promise<void>>, concurrency: number): Promise<void> {
  while (running.size > Math.floor(concurrency / 2)) await Promise.race(running);
}

async function someEndOrTimePasses(running: Set<Promise<void>>, timeMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timePasses = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeMs);
  });
  await Promise.race([...running, timePasses]);
  clearTimeout(timer);
}
