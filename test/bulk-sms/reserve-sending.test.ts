import { chunkSize, reserveSending } from '../../src/bulk-sms/run-batch/reserve-sending.ts';
import { sqlOf, type Database } from '../../src/database.ts';
import { openDatabase } from '../../src/open-database.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';

let db: TestDatabase;
let processes: Database[];

beforeAll(async () => {
  db = await createTestDatabase();
  processes = await Promise.all([1, 2, 3].map(() => openDatabase({ url: db.url, poolSize: 4 })));
});

afterAll(async () => {
  for (const process of processes) await process.close();
  await db.drop();
});

beforeEach(() => db.query('delete from sending_rates'));

test.each([
  [[100_000], 250],
  [[1000], 250],
  [[400, 1000], 100],
  [[1000, 100, 500], 25],
  [[7], 1],
  [[1], 1],
])('a chunk at rates of %j is %i messages: a quarter of a second, within bounds', (...[rates, size]) => {
  expect(chunkSize(rates.map((perSecond, index) => ({ subject: String(index), perSecond })))).toBe(size);
});

test('the first goes at once, and those after it at the rate', async () => {
  const held = [{ subject: 'platform:test', perSecond: 100 }];
  const waits: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    waits.push(await reserveSending(sqlOf(db.database), held, 25));
  }
  waits.forEach((wait, index) => {
    expect(wait).toBeLessThanOrEqual(index * 250 + 1);
    expect(wait).toBeGreaterThan(index * 250 - 200);
  });
});

test('several processes together keep the rate, however they come', async () => {
  const held = [
    { subject: 'platform:test', perSecond: 1000 },
    { subject: 'sender:test:ACME', perSecond: 200 },
  ];
  const startedAt = performance.now();
  const waits = await Promise.all(
    Array.from({ length: 30 }, (_, index) => reserveSending(sqlOf(processes[index % 3]!), held, 20)),
  );
  const tookMs = performance.now() - startedAt;
  // Thirty times 20 messages at 200 a second are 3 seconds, of which the last chunk takes a tenth.
  const last = Math.max(...waits);
  expect(last).toBeLessThanOrEqual(2900);
  expect(last).toBeGreaterThan(2900 - tookMs);
  const gaps = waits.toSorted((a, b) => a - b);
  expect(new Set(gaps.map((wait) => Math.round(wait / 100))).size).toBeGreaterThan(25);
});

test('the slowest of those that hold decides, and others are not held by it', async () => {
  const slow = [
    { subject: 'platform:test', perSecond: 1000 },
    { subject: 'batch:slow', perSecond: 1 },
  ];
  const fast = [{ subject: 'platform:test', perSecond: 1000 }];
  await reserveSending(sqlOf(db.database), slow, 1);
  expect(await reserveSending(sqlOf(db.database), slow, 1)).toBeGreaterThan(900);
  expect(await reserveSending(sqlOf(db.database), fast, 1)).toBeLessThan(900);
});

test('what was not used is not saved up', async () => {
  const held = [{ subject: 'platform:test', perSecond: 10 }];
  await db.query(`insert into sending_rates values ('platform:test', now() - interval '1 hour')`);
  expect(await reserveSending(sqlOf(db.database), held, 10)).toBe(0);
  expect(await reserveSending(sqlOf(db.database), held, 10)).toBeGreaterThan(900);
});
