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
 * Rejects with the first failure of `claim`, `work` or `record` after everything that was started has ended. Rows that
 * were claimed and not recorded become due again when their claim expires.
 */
export async function processConcurrently<Row, Outcome>(
  context: WorkContext,
  options: {
    concurrency: number;
    claim: (limit: number) => Promise<Row[]>;
    work: (row: Row) => Promise<Outcome>;
    /** Writes the outcome. The place of the row is free meanwhile. */
    record?: (row: Row, outcome: Outcome) => Promise<void>;
    /** How long to wait before the next claim if the last one returned nothing and no work ends. */
    lookAgainMs?: () => number;
  },
): Promise<void> {
  const { concurrency, claim, work, record, lookAgainMs = () => usualLookAgainMs } = options;
  const failures: unknown[] = [];
  const noteFailure = (error: unknown): Row[] => (failures.push(error), []);
  let working = 0;
  let recording = 0;
  let wake = (): void => undefined;

  async function process(row: Row): Promise<void> {
    working += 1;
    const recorded = await work(row).then(
      (outcome) => record && (() => record(row, outcome)),
      (error: unknown) => void noteFailure(error),
    );
    working -= 1;
    recording += 1;
    wake();
    await recorded?.().catch(noteFailure);
    recording -= 1;
    if (working + recording === 0) wake();
  }

  /** Resolves when work ends, when everything has ended, or after a time. */
  async function change(timeMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      wake = resolve;
      timer = setTimeout(resolve, timeMs);
    });
    clearTimeout(timer);
  }

  const heartbeat = setInterval(context.heartbeat, heartbeatMs);
  try {
    for (;;) {
      const idle = context.stopping() || failures.length > 0;
      const rows = idle ? [] : await claim(concurrency - working).catch(noteFailure);
      for (const row of rows) void process(row);
      if (working + recording === 0) break;
      if (rows.length === 0) await change(lookAgainMs());
      else while (working > Math.floor(concurrency / 2)) await change(usualLookAgainMs);
    }
  } finally {
    clearInterval(heartbeat);
  }
  if (failures.length > 0) throw failures[0];
}
