import { v7 as uuidv7 } from 'uuid';
import { sqlOf, type Database } from '../../src/database.ts';
import { assignRows } from '../../src/dispatches/assign-rows.ts';
import { messageRows } from '../../src/messages/message-rows.ts';
import { storeMessages } from '../../src/messages/store-messages.ts';
import { admitCappedMessages } from '../../src/messages/submission/admit-capped-messages.ts';
import { claimDueMessages } from '../../src/messages/submission/claim-due-messages.ts';
import { postponeHeldMessages } from '../../src/messages/submission/postpone-held-messages.ts';
import { openDatabase } from '../../src/open-database.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { createTestHash } from '../helpers/hash-number.ts';
import { createTenant } from '../helpers/tenants.ts';

const hourMs = 3_600_000;
const start = new Date(Math.floor(Date.now() / hourMs) * hourMs + hourMs / 2);
const later = (ms: number) => new Date(start.getTime() + ms);

let db: TestDatabase;
/** The database, as another worker has opened it. */
let otherDatabase: Database;
let organizationId: string;

beforeAll(async () => {
  db = await createTestDatabase();
  otherDatabase = await openDatabase({ url: db.url, poolSize: 10 });
});

beforeEach(async () => {
  await db.query('delete from sending_controls');
  ({ organizationId } = await createTenant(db.database));
});

afterAll(async () => {
  await otherDatabase.close();
  await db.drop();
});

const capHour = (messages: number) =>
  db.query(
    `insert into sending_controls (id, organization_id, messages_per_hour, updated_at)
      values (gen_random_uuid(), ?, ?, now())
      on conflict (organization_id) do update set messages_per_hour = excluded.messages_per_hour`,
    [organizationId, messages],
  );

/** Stores a dispatch of live messages as batches, schedules, replies and redrives do: without a look at caps. */
async function storeDispatch(messages: number, environment: 'live' | 'test' = 'live'): Promise<string> {
  const drafts = Array.from({ length: messages }, () => ({
    ...{ id: uuidv7(), organizationId, environment, sender: null, recipient: '+251911234567', text: 'Selam' },
    ...{ encoding: 'gsm7' as const, segments: 1, metadata: {}, webhookUrl: null },
    ...{ createdAt: start, validUntil: later(72 * hourMs) },
  }));
  const stored = await storeMessages(sqlOf(db.database), drafts);
  expect(new Set(stored.map(({ outcome }) => outcome))).toEqual(new Set(['stored']));
  const ids = drafts.map(({ id }) => id);
  return (await assignRows(sqlOf(db.database), messageRows, ids))!.dispatchId;
}

/**
 * Does what a run of the activity does. Returns how many messages it claims; by default, what is claimed is not tried
 * again.
 */
async function run(
  dispatchId: string,
  now: Date,
  database = db.database,
  claimSeconds = 100 * 3600,
): Promise<number> {
  const sqlDb = sqlOf(database);
  const organizationIds = await postponeHeldMessages(sqlDb, dispatchId, now);
  if (organizationIds.length > 0) {
    await admitCappedMessages(sqlDb, { dispatchId, organizationIds, now }, createTestHash(database));
  }
  const claim = { dispatchId, isShared: false, now, limit: 1000, claimSeconds };
  return (await claimDueMessages(sqlDb, claim)).length;
}

const sum = (counts: number[]) => counts.reduce((one, other) => one + other, 0);

test('without caps, nothing is counted', async () => {
  const dispatchId = await storeDispatch(3);
  expect(await postponeHeldMessages(sqlOf(db.database), dispatchId, start)).toEqual([]);
  expect(await run(dispatchId, start)).toBe(3);
  expect(await db.query('select from sending_counts where organization_id = ?', [organizationId])).toEqual(
    [],
  );
});

test('messages wait at a cap and go on in the next hours, in the order in which they are due', async () => {
  await capHour(2);
  const dispatchId = await storeDispatch(5);
  const first = await run(dispatchId, start);
  const again = await run(dispatchId, later(60_000));
  const inNextHours = [];
  for (const hours of [1, 2, 3]) inNextHours.push(await run(dispatchId, later(hours * hourMs)));
  expect([first, again, ...inNextHours]).toEqual([2, 0, 2, 1, 0]);
  const [failed] = await db.query('select id from messages where organization_id = ? and status = ?', [
    organizationId,
    'failed',
  ]);
  expect(failed).toBeUndefined();
});

test('no claim takes a message that is not counted, whatever has happened before it', async () => {
  const dispatchId = await storeDispatch(3);
  await capHour(1);
  const claim = { dispatchId, isShared: false, now: start, limit: 1000, claimSeconds: 90 };
  for (const isShared of [true, false]) {
    expect(await claimDueMessages(sqlOf(db.database), { ...claim, isShared })).toEqual([]);
  }
});

test('two workers that admit the messages of many dispatches at once never exceed the cap', async () => {
  await capHour(10);
  const dispatches = await Promise.all(Array.from({ length: 6 }, () => storeDispatch(5)));
  const runs = dispatches.flatMap((id) => [run(id, start), run(id, start, otherDatabase)]);
  expect(sum(await Promise.all(runs))).toBe(10);
  const [count] = await db.query<{ used: number }>(
    'select used from sending_counts where organization_id = ?',
    [organizationId],
  );
  expect(count!.used).toBe(10);
  expect(sum(await Promise.all(dispatches.map((id) => run(id, later(hourMs)))))).toBe(10);
});

test('a worker that dies after it has admitted messages neither loses them nor counts them again', async () => {
  await capHour(2);
  const dispatchId = await storeDispatch(3);
  const organizationIds = await postponeHeldMessages(sqlOf(db.database), dispatchId, start);
  const waiting = { dispatchId, organizationIds, now: start };
  await admitCappedMessages(sqlOf(db.database), waiting, createTestHash(db.database));
  expect(await run(dispatchId, start, otherDatabase)).toBe(2);
  expect(await run(dispatchId, later(hourMs))).toBe(1);
});

test('a message that is tried again is not counted again', async () => {
  await capHour(1);
  const dispatchId = await storeDispatch(1);
  expect(await run(dispatchId, start, db.database, 90)).toBe(1);
  expect(await run(dispatchId, later(120_000))).toBe(1);
});

test('held messages are not counted before their release, and test messages never', async () => {
  await capHour(1);
  await db.query('update sending_controls set held_at = ? where organization_id = ?', [
    start.toISOString(),
    organizationId,
  ]);
  const dispatchId = await storeDispatch(2);
  expect(await run(dispatchId, start)).toBe(0);
  expect(await db.query('select from sending_counts where organization_id = ?', [organizationId])).toEqual(
    [],
  );
  await db.query('update sending_controls set held_at = null where organization_id = ?', [organizationId]);
  expect(await run(dispatchId, later(60_000))).toBe(1);
  expect(await run(await storeDispatch(3, 'test'), start)).toBe(3);
});

test('a raised cap lets messages go on within five minutes, and a removed one all of them', async () => {
  await capHour(1);
  const dispatchId = await storeDispatch(4);
  expect(await run(dispatchId, start)).toBe(1);
  await capHour(2);
  expect(await run(dispatchId, later(300_000))).toBe(1);
  await db.query('delete from sending_controls');
  expect(await run(dispatchId, later(600_000))).toBe(2);
});

test('a message waits no longer than its validity', async () => {
  await capHour(1);
  const dispatchId = await storeDispatch(2);
  expect(await run(dispatchId, start)).toBe(1);
  await db.query('update messages set valid_until = ?, due_at = ? where dispatch_id = ? and attempts = 0', [
    later(5000).toISOString(),
    start.toISOString(),
    dispatchId,
  ]);
  expect(await run(dispatchId, start)).toBe(0);
  const [row] = await db.query<{ due: boolean }>(
    'select due_at = valid_until as due from messages where dispatch_id = ? and attempts = 0',
    [dispatchId],
  );
  expect(row!.due).toBe(true);
});
