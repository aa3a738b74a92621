import { BatchQueueFull, createBatcher } from '../../src/dispatches/natural-batching.ts';

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
