/** The error for items that arrive while the list of waiting items is full. */
export class BatchQueueFull extends Error {
  override name = 'BatchQueueFull';
}

/**
 * Natural batching, as in a database's group commit: items that arrive during a run wait, and the next run takes all of
 * them. There is no timer. At low load, each item runs alone and at once. Under load, the batches grow to the size that
 * keeps up with the arrivals.
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
  isolateFailures?: (error: unknown) => boolean;
}): (item: Item) => Promise<Result> {
  const { run, maxItems, maxWaiting = 50_000, parallelRuns = 1, isolateFailures = () => false } = options;
  type Waiting = { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void };
  let waiting: Waiting[] = [];
  let inFlight = 0;

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

  async function runNext(): Promise<void> {
    inFlight += 1;
    try {
      while (waiting.length > 0) {
        const batch = waiting.slice(0, maxItems);
        waiting = waiting.slice(maxItems);
        await complete(batch);
      }
    } finally {
      inFlight -= 1;
    }
  }

  return (item) =>
    new Promise<Result>((resolve, reject) => {
      if (waiting.length >= maxWaiting) {
        reject(new BatchQueueFull(`More than ${maxWaiting} items wait.`));
        return;
      }
      waiting.push({ item, resolve, reject });
      // Deferred to the end of the current turn, so that requests that were read from their sockets together form one
      // batch.
      if (inFlight < parallelRuns) setImmediate(() => inFlight < parallelRuns && void runNext());
    });
}
