import { processConcurrently, type WorkContext } from '../../src/dispatches/process-concurrently.ts';

const context: WorkContext = { heartbeat: () => undefined, stopping: () => false };

/** Work that ends when told. */
function held(): { promise: Promise<void>; end: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { promise, end: resolve };
}

test('a row that comes due while slow work runs is taken up without waiting for it', async () => {
  const slow = held();
  const due = ['slow'];
  const done: string[] = [];
  const window = processConcurrently(context, {
    concurrency: 4,
    claim: async (limit) => due.splice(0, limit),
    work: async (row) => {
      if (row === 'slow') {
        due.push('came due meanwhile');
        await slow.promise;
      } else {
        slow.end();
      }
      done.push(row);
    },
  });
  await window;
  expect(done).toEqual(['came due meanwhile', 'slow']);
});

test('no more rows are worked on at a time than allowed, and none is left', async () => {
  const rows = Array.from({ length: 50 }, (_, index) => index);
  let running = 0;
  let most = 0;
  const done = new Set<number>();
  await processConcurrently(context, {
    concurrency: 8,
    claim: async (limit) => rows.splice(0, limit),
    work: async (row) => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      done.add(row);
    },
  });
  expect({ most, done: done.size }).toEqual({ most: 8, done: 50 });
});

test('while an outcome is recorded, its place is free, and the end waits for the record', async () => {
  const slow = held();
  const rows = ['first', 'second'];
  const recorded: string[] = [];
  const window = processConcurrently(context, {
    concurrency: 1,
    claim: async (limit) => rows.splice(0, limit),
    work: async (row) => {
      if (row === 'second') slow.end();
      return `${row} done`;
    },
    record: async (row, outcome) => {
      if (row === 'first') await slow.promise;
      recorded.push(outcome);
    },
  });
  await window;
  expect(recorded.toSorted()).toEqual(['first done', 'second done']);
});

test('an outcome that cannot be recorded is a failure', async () => {
  const rows = ['row'];
  const window = processConcurrently(context, {
    concurrency: 1,
    claim: async (limit) => rows.splice(0, limit),
    work: async () => 'done',
    record: async () => {
      throw new Error('not recorded');
    },
  });
  await expect(window).rejects.toThrow('not recorded');
});

test('after a failure nothing new is begun, what was begun is brought to its end, and the failure is told', async () => {
  const slow = held();
  let claims = 0;
  let ended = false;
  const window = processConcurrently(context, {
    concurrency: 2,
    claim: async () => {
      claims += 1;
      return claims === 1 ? ['bad', 'slow'] : ['never'];
    },
    work: async (row) => {
      if (row === 'bad') throw new Error('not written');
      await slow.promise;
      ended = true;
    },
  });
  setImmediate(slow.end);
  await expect(window).rejects.toThrow('not written');
  expect({ claims, ended }).toEqual({ claims: 1, ended: true });
});

test('after a failed claim, what was begun is brought to its end, and the failure is told', async () => {
  const slow = held();
  let claims = 0;
  let ended = false;
  const window = processConcurrently(context, {
    concurrency: 4,
    claim: async () => {
      claims += 1;
      if (claims > 1) throw new Error('not claimed');
      return ['slow'];
    },
    work: async () => {
      await slow.promise;
      ended = true;
    },
  });
  setImmediate(slow.end);
  await expect(window).rejects.toThrow('not claimed');
  expect({ claims, ended }).toEqual({ claims: 2, ended: true });
});

test('a worker that is told to stop begins nothing', async () => {
  const claimed: number[] = [];
  await processConcurrently(
    { ...context, stopping: () => true },
    { concurrency: 2, claim: async (limit) => (claimed.push(limit), [1]), work: async () => undefined },
  );
  expect(claimed).toEqual([]);
});
