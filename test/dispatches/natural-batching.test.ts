import * as fc from 'fast-check';
import {
  BatchQueueFull,
  createBatcher,
  type BatchClock,
  type Gathering,
} from '../../src/dispatches/natural-batching.ts';

/** A run that ends when told, so that a test decides what is in flight. */
function controlled<Item>() {
  const runs: { items: Item[]; end: (error?: Error) => void }[] = [];
  const run = (items: Item[]): Promise<Item[]> =>
    new Promise((resolve, reject) => {
      runs.push({ items, end: (error) => (error ? reject(error) : resolve(items)) });
    });
  return { runs, run };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

test('alone, an item is run alone; what arrives while it runs goes together in the next', async () => {
  const { runs, run } = controlled<number>();
  const add = createBatcher({ run, maxItems: 10 });
  const first = add(1);
  await turn();
  const rest = [add(2), add(3), add(4)];
  await turn();
  expect(runs.map(({ items }) => items)).toEqual([[1]]);
  runs[0]!.end();
  await first;
  await turn();
  expect(runs.map(({ items }) => items)).toEqual([[1], [2, 3, 4]]);
  runs[1]!.end();
  expect(await Promise.all(rest)).toEqual([2, 3, 4]);
});

test('no batch is larger than allowed, and no item is lost', async () => {
  const sizes: number[] = [];
  const add = createBatcher<number, number>({
    maxItems: 7,
    run: async (items) => {
      sizes.push(items.length);
      await turn();
      return items.map((item) => item * 2);
    },
  });
  const results = await Promise.all(Array.from({ length: 100 }, (_, index) => add(index)));
  expect(results).toEqual(Array.from({ length: 100 }, (_, index) => index * 2));
  expect(Math.max(...sizes)).toBe(7);
});

test('a failed batch fails its items, and the next ones are run', async () => {
  const { runs, run } = controlled<number>();
  const add = createBatcher({ run, maxItems: 10 });
  const failing = add(1);
  await turn();
  const next = add(2);
  runs[0]!.end(new Error('broken'));
  await expect(failing).rejects.toThrow('broken');
  await turn();
  runs[1]!.end();
  expect(await next).toBe(2);
});

test('with isolation an item that cannot be run fails alone', async () => {
  const add = createBatcher<number, number>({
    maxItems: 10,
    isolateFailures: () => true,
    run: async (items) => {
      if (items.includes(3)) throw new Error('three');
      return items;
    },
  });
  const results = await Promise.allSettled([1, 2, 3, 4].map(add));
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
});

test('what waits is bounded', async () => {
  const { runs, run } = controlled<number>();
  const add = createBatcher({ run, maxItems: 1, maxWaiting: 2 });
  const first = add(1);
  await turn();
  const second = add(2);
  const third = add(3);
  await expect(add(4)).rejects.toThrow(BatchQueueFull);
  for (let index = 0; index < 3; index += 1) {
    runs[index]!.end();
    await turn();
  }
  expect(await Promise.all([first, second, third])).toEqual([1, 2, 3]);
});

/** A clock whose time a test moves. What is due runs in order of its time; promises settle in between. */
function virtualClock() {
  let nowMs = 0;
  let timers: { atMs: number; callback: () => void }[] = [];
  const after = (ms: number, callback: () => void): (() => void) => {
    const timer = { atMs: nowMs + ms, callback };
    timers.push(timer);
    return () => {
      timers = timers.filter((other) => other !== timer);
    };
  };
  const clock: BatchClock = { nowMs: () => nowMs, soon: (callback) => void after(0, callback), after };
  const finish = async (): Promise<void> => {
    await turn();
    while (timers.length > 0) {
      const next = timers.reduce((first, timer) => (timer.atMs < first.atMs ? timer : first));
      timers = timers.filter((timer) => timer !== next);
      nowMs = next.atMs;
      next.callback();
      await turn();
    }
  };
  return { clock, after, finish, nowMs: () => nowMs };
}

/** What became of items that arrive at given times, when each run takes `runMs`. */
async function simulate(given: {
  arrivalsMs: number[];
  runMs: number;
  maxItems: number;
  parallelRuns: number;
  gathering: Gathering;
}) {
  const { arrivalsMs, runMs, ...options } = given;
  const time = virtualClock();
  const runs: { items: number[]; startedAtMs: number; endedAtMs: number }[] = [];
  const add = createBatcher<number, number>({
    ...options,
    clock: time.clock,
    run: (items) =>
      new Promise((resolve) => {
        const startedAtMs = time.nowMs();
        runs.push({ items, startedAtMs, endedAtMs: startedAtMs + runMs });
        time.after(runMs, () => resolve(items));
      }),
  });
  const results: Promise<number>[] = [];
  arrivalsMs.forEach((atMs, item) => time.after(atMs, () => results.push(add(item))));
  await time.finish();
  return { runs, results: await Promise.all(results) };
}

const simulations = fc.record({
  arrivalsMs: fc
    .array(fc.oneof(fc.constant(0), fc.nat(3), fc.nat(200)), { minLength: 1, maxLength: 60 })
    .map((gapsMs) => gapsMs.map((_, index) => gapsMs.slice(0, index + 1).reduce((sum, gap) => sum + gap, 0))),
  runMs: fc.integer({ min: 1, max: 50 }),
  maxItems: fc.integer({ min: 1, max: 20 }),
  parallelRuns: fc.integer({ min: 1, max: 3 }),
  gathering: fc.record(
    {
      fromItems: fc.integer({ min: 1, max: 6 }),
      enoughItems: fc.integer({ min: 1, max: 12 }),
      waitMs: fc.nat(30),
    },
    { requiredKeys: ['fromItems', 'waitMs'] },
  ),
});

test('while batches gather, each item is run once, in the order of arrival, in a batch that is not too large', async () => {
  await fc.assert(
    fc.asyncProperty(simulations, async (given) => {
      const { runs, results } = await simulate(given);
      const items = given.arrivalsMs.map((_, item) => item);
      expect(runs.flatMap((run) => run.items)).toEqual(items);
      expect(results).toEqual(items);
      expect(Math.max(...runs.map((run) => run.items.length))).toBeLessThanOrEqual(given.maxItems);
    }),
  );
});

test('no item waits for others longer than the bound, and only after a batch that shows load', async () => {
  await fc.assert(
    fc.asyncProperty(simulations, async (given) => {
      const { fromItems, waitMs } = given.gathering;
      const { runs } = await simulate(given);
      runs.forEach((run, index) => {
        // The moment at which the run could begin: its first item has arrived, and one of the parallel runs is free.
        const earlier = runs.slice(0, index);
        const arrivedAtMs = given.arrivalsMs[run.items[0]!]!;
        const isFree = (atMs: number): boolean =>
          earlier.filter(({ startedAtMs, endedAtMs }) => startedAtMs <= atMs && atMs < endedAtMs).length <
          given.parallelRuns;
        const possibleAtMs = [arrivedAtMs, ...earlier.map(({ endedAtMs }) => endedAtMs)]
          .filter((atMs) => atMs >= arrivedAtMs && isFree(atMs))
          .toSorted((a, b) => a - b)[0]!;
        const waitedMs = run.startedAtMs - possibleAtMs;
        expect(waitedMs).toBeLessThanOrEqual(waitMs);
        if (waitedMs > 0) {
          const before = earlier.filter(({ endedAtMs }) => endedAtMs <= run.startedAtMs);
          expect(
            before.some(
              ({ items, endedAtMs }) => items.length >= fromItems && run.startedAtMs - endedAtMs <= waitMs,
            ),
          ).toBe(true);
        }
      });
    }),
    {
      // A batch ends at the very moment at which the others have gathered long enough.
      examples: [
        [
          {
            ...{ arrivalsMs: [0, 1, 3, 4], runMs: 4, maxItems: 2, parallelRuns: 3 },
            gathering: { fromItems: 1, waitMs: 3 },
          },
        ],
      ],
    },
  );
});

test('at low load no item waits, whatever the bound', async () => {
  const { runs } = await simulate({
    arrivalsMs: [0, 100, 200, 300],
    runMs: 10,
    maxItems: 20,
    parallelRuns: 1,
    gathering: { fromItems: 2, waitMs: 1000 },
  });
  expect(runs.map(({ startedAtMs }) => startedAtMs)).toEqual([0, 100, 200, 300]);
});

test('after a batch that shows load, the next one gathers until the bound, or until it is full', async () => {
  const gathering = { fromItems: 2, waitMs: 5 };
  const given = { runMs: 10, maxItems: 4, parallelRuns: 1, gathering };
  const gathered = await simulate({ ...given, arrivalsMs: [0, 0, 3, 12] });
  expect(gathered.runs).toMatchObject([
    { items: [0, 1], startedAtMs: 0 },
    { items: [2, 3], startedAtMs: 15 },
  ]);
  const full = await simulate({ ...given, arrivalsMs: [0, 0, 3, 4, 11, 12] });
  expect(full.runs).toMatchObject([
    { items: [0, 1], startedAtMs: 0 },
    { items: [2, 3, 4, 5], startedAtMs: 12 },
  ]);
});

test('items that are enough together wait for no more, and those that arrived with them go too', async () => {
  const { runs } = await simulate({
    arrivalsMs: [0, 0, 11, 12, 12],
    ...{ runMs: 10, maxItems: 20, parallelRuns: 1 },
    gathering: { fromItems: 2, enoughItems: 2, waitMs: 1000 },
  });
  expect(runs).toMatchObject([
    { items: [0, 1], startedAtMs: 0 },
    { items: [2, 3, 4], startedAtMs: 12 },
  ]);
});
