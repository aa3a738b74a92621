import { foldCounts } from '../../src/analytics/fold-counts.ts';
import { getAnalytics } from '../../src/analytics/get-analytics.ts';
import { rollUpDays } from '../../src/analytics/roll-up-days.ts';
import { draftMessage } from '../../src/messages/draft-message.ts';
import { storeMessages } from '../../src/messages/store-messages.ts';
import { asTenants } from '../../src/organizations/organization-scope.ts';
import { exact, findMiscounts } from '../helpers/counted.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { createTenant } from '../helpers/tenants.ts';

let db: TestDatabase;

beforeEach(async () => {
  db = await createTestDatabase();
});
afterEach(() => db.drop());

const now = new Date('2026-04-20T12:00:00Z');

async function newOrganization(timezone: string): Promise<string> {
  const { organizationId } = await createTenant(db.database);
  await setTimezone(organizationId, timezone);
  return organizationId;
}

async function setTimezone(organizationId: string, timezone: string): Promise<void> {
  const metadata = JSON.stringify({ timezone });
  await db.query('update organizations set metadata = ? where id = ?', [metadata, organizationId]);
}

async function store(organizationId: string, at: string, count: number): Promise<void> {
  const drafts = Array.from({ length: count }, () =>
    draftMessage(
      { organizationId, environment: 'live' },
      { to: '0911234567', text: 'Selam' },
      [],
      new Date(at),
    ),
  );
  await asTenants(db.database, [organizationId], (connection) => storeMessages(connection, drafts));
}

async function foldAll(): Promise<void> {
  while ((await foldCounts(db.database)) === 'more');
}

async function rollUpAll(leastMessages?: number, at = now): Promise<void> {
  while ((await rollUpDays(db.database, at, leastMessages)) === 'more');
}

/** The rolled-up days of an organization, as the moments at which they begin and their hours. */
function daysOf(organizationId: string): Promise<{ begin: string; hours: number }[]> {
  return db.query(
    `select to_char(first_slot at time zone 'UTC', 'MM-DD"T"HH24:MI') as begin,
      (extract(epoch from next_slot - first_slot) / 3600)::float8 as hours
     from rolled_up_days where organization_id = ? order by first_slot`,
    [organizationId],
  );
}

/** The days with messages in a report, and how many. */
async function read(organizationId: string): Promise<[date: string, messages: number][]> {
  const { daily } = await getAnalytics(
    db.database,
    {
      actor: { kind: 'user', id: organizationId },
      ...{ personId: null, impersonatedBy: null, organizationId, environment: 'live' },
      visibleEnvironments: ['live', 'test'],
    },
    { from: '2026-03-01', to: '2026-04-20' },
    now,
  );
  return daily.filter(({ messages }) => messages > 0).map(({ date, messages }) => [date, messages]);
}

test('the days that began eight days ago, and have enough messages, are rolled up, whatever their length', async () => {
  const id = await newOrganization('Europe/Berlin');
  await store(id, '2026-03-28T22:59:00Z', 2);
  await store(id, '2026-03-28T23:00:00Z', 3);
  await store(id, '2026-03-29T21:59:00Z', 4);
  await store(id, '2026-03-29T22:00:00Z', 1);
  await store(id, '2026-04-11T22:00:00Z', 5);
  await store(id, '2026-04-12T22:00:00Z', 6);
  await foldAll();
  await rollUpAll(2);
  expect(await daysOf(id)).toEqual([
    { begin: '03-27T23:00', hours: 24 },
    { begin: '03-28T23:00', hours: 23 },
    { begin: '04-11T22:00', hours: 24 },
  ]);
  expect(await findMiscounts(db)).toEqual(exact);
  expect(await read(id)).toEqual([
    ...[['2026-03-28', 2] as const, ['2026-03-29', 7] as const, ['2026-03-30', 1] as const],
    ...[['2026-04-12', 5] as const, ['2026-04-13', 6] as const],
  ]);
  await rollUpAll(2, new Date('2026-04-20T22:00:01Z'));
  expect((await daysOf(id)).at(-1)).toEqual({ begin: '04-12T22:00', hours: 24 });
});

test('by default, a day needs a thousand messages', async () => {
  const id = await newOrganization('UTC');
  await store(id, '2026-04-01T10:00:00Z', 999);
  await store(id, '2026-04-02T10:00:00Z', 1000);
  await foldAll();
  await rollUpAll();
  expect(await daysOf(id)).toEqual([{ begin: '04-02T00:00', hours: 24 }]);
});

test('a rolled-up day is read from its sum; the slots of the others are read', async () => {
  const id = await newOrganization('UTC');
  await store(id, '2026-04-01T10:00:00Z', 3);
  await store(id, '2026-04-02T10:00:00Z', 1);
  await foldAll();
  await rollUpAll(2);
  await db.query('delete from message_counts');
  expect(await read(id)).toEqual([['2026-04-01', 3]]);
});

test('after a change of the time zone no day of the old one is read, and the days of the new one are rolled up', async () => {
  const id = await newOrganization('UTC');
  await store(id, '2026-04-01T22:00:00Z', 3);
  await store(id, '2026-04-02T10:00:00Z', 4);
  await foldAll();
  await rollUpAll(1);
  await setTimezone(id, 'Asia/Kathmandu');
  expect(await read(id)).toEqual([['2026-04-02', 7]]);
  await rollUpAll(1);
  expect(await daysOf(id)).toEqual([{ begin: '04-01T18:15', hours: 24 }]);
  expect(await read(id)).toEqual([['2026-04-02', 7]]);
  expect(await findMiscounts(db)).toEqual(exact);
});

test('a day that begins as one of the old time zone, but ends later, is not taken for it', async () => {
  const id = await newOrganization('Europe/Berlin');
  await store(id, '2026-03-29T10:00:00Z', 3);
  await store(id, '2026-03-29T22:30:00Z', 4);
  await foldAll();
  await rollUpAll(1);
  await setTimezone(id, 'Africa/Lagos');
  expect(await read(id)).toEqual([['2026-03-29', 7]]);
});

test('a change in a rolled-up day deletes its sum with the fold, and the day is rolled up again', async () => {
  const id = await newOrganization('UTC');
  for (const day of ['01', '02', '03']) await store(id, `2026-04-${day}T10:00:00Z`, 3);
  await foldAll();
  await rollUpAll(1);
  await db.query(`update messages set status = 'cancelled' where created_at::date = '2026-04-02'`);
  await foldAll();
  expect((await daysOf(id)).map(({ begin }) => begin)).toEqual(['04-01T00:00', '04-03T00:00']);
  expect(await findMiscounts(db)).toEqual(exact);
  await rollUpAll(1);
  expect(await daysOf(id)).toHaveLength(3);
  expect(await findMiscounts(db)).toEqual(exact);
});

test('changes that are folded days later are rolled up too', async () => {
  const id = await newOrganization('UTC');
  await store(id, '2026-04-01T10:00:00Z', 3);
  // Nothing is counted yet, and nothing is left to do.
  await rollUpAll(1);
  await foldAll();
  await rollUpAll(1);
  expect(await daysOf(id)).toHaveLength(1);
});

test('an organization that is deleted leaves no days behind', async () => {
  const id = await newOrganization('UTC');
  await store(id, '2026-04-01T10:00:00Z', 3);
  await foldAll();
  await rollUpAll(1);
  await db.query('delete from messages where organization_id = ?', [id]);
  await db.query('delete from organizations where id = ?', [id]);
  await rollUpAll(1);
  await foldAll();
  for (const table of [
    'rolled_up_days',
    'message_day_counts',
    'delivery_time_day_counts',
    'roll_up_progress',
  ])
    expect([table, await db.query(`select from ${table}`)]).toEqual([table, []]);
});

test('a year of more organizations than one round takes is rolled up, by several workers at once, and then there is nothing to do', async () => {
  const last = await newOrganization('UTC');
  await db.query(
    `insert into organizations (id, name, slug, metadata, created_at)
      select gen_random_uuid(), 'Acme', n::text, case n % 3 when 0 then 'no json' when 1 then '{"timezone":3}' end, now()
      from generate_series(1, 50) n`,
  );
  for (let month = 1; month <= 12; month += 1)
    await store(last, `2025-${String(month).padStart(2, '0')}-15T00:00:00Z`, 2);
  await foldAll();
  await Promise.all([rollUpAll(1), rollUpAll(1), rollUpAll(1)]);
  expect(await daysOf(last)).toHaveLength(12);
  expect(await findMiscounts(db)).toEqual(exact);
  const before = await db.query('select xmin::text, * from roll_up_progress order by 2');
  expect(before).toHaveLength(51);
  expect(await rollUpDays(db.database, now)).toBe('done');
  expect(await db.query('select xmin::text, * from roll_up_progress order by 2')).toEqual(before);
});
