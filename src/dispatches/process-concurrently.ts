/** What the work needs from the activity in which it runs. */
export interface WorkContext {
  /** Reports to Temporal that the work is alive. */
  heartbeat: () => void;
  /** Whether the worker is stopping. Then no new work is started. */
  stopping: () => boolean;
}

/** How long rows that become due may wait while slow work is in progress, by default. */
const usualLookAgainMs = 500;

/** Well below the activities' heartbeat timeout, however long a single piece of work takes. */
const heartbeatMs = 2000;

/**
 * Processes rows as they are claimed, up to `concurrency` at a time, until none is left to claim.
 *
 * Half of the places are refilled at a time, so that each claim is for many rows and no row waits for the slowest one.
 * Rejects with the first failure of `claim` or `work` after all started work has ended. Rows that were claimed and not written
 * become due again when their claim expires.
 */
export async function processConcurrently<Row>(
  context: WorkContext,
  options: {
    concurrency: number;
    claim: (limit: number) => Promise<Row[]>;
    work: (row: Row) => Promise<void>;
    /** How long to wait before the next claim if the last one returned nothing and work is in progress. */
    lookAgainMs?: () => number;
  },
): Promise<void> {
  const { concurrency, claim, work, lookAgainMs = () => usualLookAgainMs } = options;
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  const noteFailure = (error: unknown): Row[] => (failures.push(error), []);
  const heartbeat = setInterval(context.heartbeat, heartbeatMs);
  try {
    for (;;) {
      const idle = context.stopping() || failures.length > 0;
      const rows = idle ? [] : await claim(concurrency - running.size).catch(noteFailure);
      for (const row of rows) {
        const piece: Promise<void> = work(row)
          .catch((error: unknown) => void noteFailure(error))
          .finally(() => running.delete(piece));
        running.add(piece);
      }
      if (running.size === 0) break;
      await (rows.length === 0
        ? waitForOneOrTimeout(running, lookAgainMs())
        : waitForHalf(running, concurrency));
    }
  } finally {
    clearInterval(heartbeat);
  }
  if (failures.length > 0) throw failures[0];
}

async function waitForHalf(running: Set<Promise<void>>, concurrency: number): Promise<void> {
  while (running.size > Math.floor(concurrency / 2)) await Promise.race(running);
}

async function waitForOneOrTimeout(running: Set<Promise<void>>, timeMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timedOut = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeMs);
  });
  await Promise.race([...running, timedOut]);
  clearTimeout(timer);
}
