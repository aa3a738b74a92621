/** The error for items that arrive while the list of waiting items is full. */
export class BatchQueueFull extends Error {
  override name = 'BatchQueueFull';
}

/** How batches gather under load: see `createBatcher`. */
export interface Gathering {
  /** A batch of at least this many items means load. */
  fromItems: number;
  /** As many items as are cheap enough together: they wait for no more. `maxItems` by default. */
  enoughItems?: number;
  /** The maximum time that an item waits for others, once a run is free. 0: no item waits. */
  waitMs: number;
}

/** The time and the timers of a batcher. Tests pass their own. */
export interface BatchClock {
  nowMs: () => number;
  /** Calls back when the current turn of the event loop has ended. */
  soon: (callback: () => void) => void;
  /** Calls back after a time. Returns the function that cancels this. */
  after: (ms: number, callback: () => void) => () => void;
}

const systemClock: BatchClock = {
  nowMs: () => performance.now(),
  soon: (callback) => void setImmediate(callback),
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};

/**
 * Natural batching, as in a database's group commit: items that arrive during a run wait, and the next run takes all of
 * them. At low load, each item runs alone and at once. Under load, the batches grow to the size that keeps up with the
 * arrivals.
 *
 * That size is not yet the cheapest one. A batch of a dozen items costs almost as much as a batch of a hundred, and the
 * time for it is taken from the requests that arrive. With `gathering`, the next run therefore begins no sooner than
 * `waitMs` after a batch of `fromItems` or more has ended, unless `enoughItems` wait. PostgreSQL delays a commit by the
 * same rule: `commit_delay`, only while `commit_siblings` transactions are open.
 *
 * @param run processes a batch and returns one result for each item, in their order
 * @param maxItems the largest batch
 * @param maxWaiting how many items may wait before more are refused with BatchQueueFull
 * @param parallelRuns how many batches may run concurrently
 * @param isolateFailures whether to run the items of a failed batch again one by one, so that an item which the
 *   database refuses does not fail the others; only for runs that change nothing when they fail
 */
export function createBatcher<Item, Result>(options: {
  run: (items: Item[]) => Promise<Result[]>;
  maxItems: number;
  maxWaiting?: number;
  parallelRuns?: number;
  gathering?: Gathering;
  isolateFailures?: (error: unknown) => boolean;
  clock?: BatchClock;
}): (item: Item) => Promise<Result> {
  const {
    run,
    maxItems,
    maxWaiting = 50_000,
    parallelRuns = 1,
    gathering: { fromItems, waitMs, enoughItems = maxItems } = { fromItems: Infinity, waitMs: 0 },
    isolateFailures = () => false,
    clock = systemClock,
  } = options;
  type Waiting = { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void };
  let waiting: Waiting[] = [];
  let inFlight = 0;
  let isStartPlanned = false;
  let gatheringEndsAtMs = 0;
  let cancelTimer = (): void => undefined;

  async function complete(batch: Waiting[]): Promise<void> {
    try {
      const results = await run(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, index) => resolve(results[index] as Result));
    } catch (error) {
      if (batch.length > 1 && isolateFailures(error)) {
        for (const one of batch) await complete([one]);
      } else {
        batch.forEach(({ reject }) => reject(error));
      }
    }
  }

  async function runBatch(batch: Waiting[]): Promise<void> {
    inFlight += 1;
    await complete(batch);
    // With parallel runs, others may be gathering already. They have waited since then, so their time is not prolonged.
    const areOthersGathering = waiting.length > 0 && inFlight < parallelRuns;
    inFlight -= 1;
    const nowMs = clock.nowMs();
    if (!areOthersGathering) gatheringEndsAtMs = batch.length >= fromItems ? nowMs + waitMs : nowMs;
    startRuns();
  }

  function startRuns(): void {
    isStartPlanned = false;
    cancelTimer();
    while (inFlight < parallelRuns && waiting.length > 0) {
      const restMs = gatheringEndsAtMs - clock.nowMs();
      if (waiting.length < Math.min(enoughItems, maxItems) && restMs > 0) {
        cancelTimer = clock.after(restMs, startRuns);
        return;
      }
      const batch = waiting.slice(0, maxItems);
      waiting = waiting.slice(maxItems);
      void runBatch(batch);
    }
  }

  return (item) =>
    new Promise<Result>((resolve, reject) => {
      if (waiting.length >= maxWaiting) {
        reject(new BatchQueueFull(`More than ${maxWaiting} items wait.`));
        return;
      }
      waiting.push({ item, resolve, reject });
      if (isStartPlanned || inFlight >= parallelRuns) return;
      // Deferred to the end of the current turn, so that requests that were read from their sockets together form one
      // batch.
      isStartPlanned = true;
      clock.soon(startRuns);
    });
}
