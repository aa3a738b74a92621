/** What to do with items that arrive while the list of waiting ones is full. */
export class BatchQueueFull extends Error {
  override name = 'BatchQueueFull';
}

/**
 * Natural batching, as in a database's group commit: while a run is in flight, what arrives waits; the next
 * run takes all of it. There is no timer, so at rest an item is run alone and at once, and under load the
 * batches grow to just the size that keeps up.
 *
 * @param run does the work for a batch and answers one result an item, in their order
 * @param maxItems the largest batch
 * @param maxWaiting how many items may wait before more are refused with BatchQueueFull
 * @param parallelRuns how many batches may be in flight
 * @param isolateFailures run the items of a failed batch again one by one, so that an item the database
 *   refuses does not fail its neighbours; only for runs that change nothing when they fail
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

  async function settle(batch: Waiting[]): Promise<void> {
    try {
      const results = await run(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, index) => resolve(results[index] as Result));
    } catch (error) {
      if (batch.length > 1 && isolateFailures(error)) {
        for (const one of batch) await settle([one]);
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
        await settle(batch);
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
      // Deferred to the end of the current turn, so that requests read from their sockets together go together.
      if (inFlight < parallelRuns) setImmediate(() => inFlight < parallelRuns && void runNext());
    });
}
