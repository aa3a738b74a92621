import {
  array,
  assert,
  asyncProperty,
  constant,
  constantFrom,
  integer,
  nat,
  oneof,
  record,
  type Arbitrary,
} from 'fast-check';
import { sql } from 'kysely';
import { Client } from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { foldCounts, startFolding } from '../../src/analytics/fold-counts.ts';
import { getAnalytics } from '../../src/analytics/get-analytics.ts';
import { rollUpDays } from '../../src/analytics/roll-up-days.ts';
import { makeChunk } from '../../src/bulk-sms/run-batch/make-chunk.ts';
import { sqlOf, type Database } from '../../src/database.ts';
import type { Log } from '../../src/log.ts';
import { updateStatuses, type StatusUpdate } from '../../src/messages/update-statuses.ts';
import { draftMessage } from '../../src/messages/draft-message.ts';
import { storeMessages } from '../../src/messages/store-messages.ts';
import { asTenants } from '../../src/organizations/organization-scope.ts';
import type { Environment, Principal } from '../../src/principal.ts';
import { redriveMessagesPage } from '../../src/redrives/redrive-messages-page.ts';
import type { Redrive } from '../../src/redrives/redrive.entity.ts';
import { exact, findMiscounts } from '../helpers/counted.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { byName, expectAnalytics } from '../helpers/expected-analytics.ts';
import { createTenant, type Tenant } from '../helpers/tenants.ts';
import { until } from '../helpers/until.ts';
import { createTestHash } from '../helpers/hash-number.ts';

let db: TestDatabase;
let database: Database;
let tenants: Tenant[];

beforeAll(async () => {
  db = await createTestDatabase();
  database = db.database;
  tenants = [await createTenant(database), await createTenant(database)];
});
afterAll(() => db.drop());

const noId = '00000000-0000-0000-0000-000000000000';

/** The history of a world begins here; its operations say how many minutes later they happen. */
const beginning = Date.parse('2026-03-28T22:00:00Z');
const minutes = integer({ min: 0, max: 3000 });
const atMinute = (minute: number): Date => new Date(beginning + minute * 60_000 + 7);

const happenings = [
  { kind: 'accepted_by_gateway' },
  { kind: 'refused_by_gateway', errorCode: 'not_routable' },
  { kind: 'gateway_unavailable', attempt: 0, wasInDoubt: false, retryAt: new Date(beginning) },
  { kind: 'report', report: 'smsc_accepted', providerMessageId: 'p' },
  { kind: 'report', report: 'delivered', providerMessageId: 'p' },
  { kind: 'report', report: 'undelivered', providerMessageId: 'p' },
  { kind: 'expired', errorCode: 'dlr_timeout' },
  { kind: 'suppressed' },
  { kind: 'cancelled' },
] as const satisfies StatusUpdate['transition'][];

/** In Berlin, the history goes through a day of 23 hours; the last one is no zone, and means the default. */
const timezones = ['Europe/Berlin', 'Asia/Kathmandu', 'America/Los_Angeles', 'Mars/Olympus'];

/** What the service does to messages, by the statements with which it does it. */
const operations = {
  store: record({
    name: constant('store' as const),
    ...{ tenant: nat(1), environment: constantFrom('live' as const, 'test' as const), minute: minutes },
    ...{ count: integer({ min: 1, max: 40 }), length: integer({ min: 1, max: 400 }) },
  }),
  update: record({
    name: constant('update' as const),
    ...{ transition: constantFrom(...happenings), share: integer({ min: 1, max: 4 }), minute: minutes },
  }),
  bulk: record({
    name: constant('bulk' as const),
    ...{ tenant: nat(1), count: integer({ min: 1, max: 30 }), refused: nat(5), minute: minutes },
  }),
  redrive: record({ name: constant('redrive' as const), minute: minutes }),
  claim: record({ name: constant('claim' as const) }),
  remove: record({ name: constant('remove' as const), share: integer({ min: 2, max: 5 }) }),
  fold: record({ name: constant('fold' as const), limit: integer({ min: 1, max: 60 }) }),
  rollUp: record({
    name: constant('rollUp' as const),
    ...{ minute: integer({ min: 0, max: 4500 }), leastMessages: integer({ min: 1, max: 30 }) },
  }),
  move: record({ name: constant('move' as const), tenant: nat(1), timezone: constantFrom(...timezones) }),
};
type Operation = {
  [Name in keyof typeof operations]: (typeof operations)[Name] extends Arbitrary<infer T> ? T : never;
}[keyof typeof operations];

async function perform(operation: Operation): Promise<void> {
  switch (operation.name) {
    case 'store': {
      const { organizationId } = tenants[operation.tenant]!;
      const { environment, minute, count, length } = operation;
      await store(organizationId, environment, atMinute(minute), count, 'x'.repeat(length));
      return;
    }
    case 'update': {
      const { transition, share, minute } = operation;
      const rows = await db.query<{ id: string }>(
        `select id from messages where abs(hashtext(id::text)) % ? = 0`,
        [share],
      );
      await update(
        rows.map(({ id }) => id),
        transition,
        atMinute(minute),
      );
      return;
    }
    case 'bulk':
      return makeBatch(
        tenants[operation.tenant]!,
        operation.count,
        operation.refused,
        atMinute(operation.minute),
      );
    case 'redrive': {
      const redrive = {
        ...{ id: uuidv7(), kind: 'messages', organizationId: null, errorCode: null, environment: null },
        ...{ createdAt: atMinute(9000), createdTo: atMinute(9000), cursorAt: atMinute(-1), cursorId: noId },
      } as unknown as Redrive;
      const page = { rows: 200, maxRedriven: 100, at: atMinute(9000 + operation.minute) };
      await sqlOf(database)
        .transaction()
        .execute((transaction) => redriveMessagesPage(transaction, redrive, page));
      return;
    }
    case 'claim':
      await db.query(
        `update messages set dispatch_id = id, attempts = attempts + 1 where dispatch_id is null`,
      );
      return;
    case 'remove':
      await db.query(`delete from messages where abs(hashtext(id::text || 'x')) % ? = 0`, [operation.share]);
      return;
    case 'fold':
      await foldCounts(database, operation.limit);
      return;
    case 'rollUp': {
      const now = new Date(atMinute(operation.minute).getTime() + 8 * 86_400_000);
      await rollUpDays(database, now, operation.leastMessages);
      return;
    }
    case 'move':
      await setTimezone(tenants[operation.tenant]!, operation.timezone);
  }
}

async function setTimezone({ organizationId }: Tenant, timezone: string): Promise<void> {
  await db.query('update organizations set metadata = ? where id = ?', [
    JSON.stringify({ timezone }),
    organizationId,
  ]);
}

/** Compares a report of each organization with its messages. */
async function compareReports(): Promise<void> {
  const range = { from: '2026-03-27', to: '2026-04-03' };
  for (const { organizationId } of tenants) {
    const report = await getAnalytics(database, ownerOf(organizationId), range, new Date());
    const { totals, daily, senders, campaigns, errorCodes, timezone } = report;
    const found = {
      ...{ totals, daily: daily.filter(({ messages }) => messages > 0), senders: byName(senders) },
      ...{ campaigns: byName(campaigns.map(({ name: _name, ...campaign }) => campaign)) },
      errorCodes: byName(errorCodes),
    };
    expect(found).toEqual(await expectAnalytics(db, organizationId, { ...range, timezone }));
  }
}

function ownerOf(organizationId: string): Principal {
  return {
    actor: { kind: 'user', id: organizationId },
    ...{ personId: null, impersonatedBy: null, organizationId, environment: 'live' },
    visibleEnvironments: ['live', 'test'],
  };
}

async function store(
  organizationId: string,
  environment: Environment,
  at: Date,
  count: number,
  text = 'Selam',
) {
  const drafts = Array.from({ length: count }, () =>
    draftMessage({ organizationId, environment }, { to: '0911234567', text }, [], at),
  );
  await asTenants(database, [organizationId], (connection) => storeMessages(connection, drafts));
  return drafts.map(({ id }) => id);
}

async function update(ids: string[], transition: StatusUpdate['transition'], at: Date): Promise<void> {
  if (ids.length === 0) return;
  await updateStatuses(
    database,
    ids.map((messageId) => ({ messageId, at, transition, event: { kind: 'report_received', details: {} } })),
  );
}

/** A batch in the middle of its sending, and its next chunk; so many of its recipients get no message. */
async function makeBatch(
  { organizationId, sender }: Tenant,
  count: number,
  refused: number,
  at: Date,
): Promise<void> {
  const [campaignId, batchId] = [uuidv7(), uuidv7()];
  await db.query(
    `with campaign as (
      insert into campaigns (id, organization_id, name, status, created_at, updated_at)
      values (?, ?, 'Spring', 'active', now(), now())
    ), batch as (
      insert into bulk_batches (id, organization_id, environment, campaign_id, contact_list_id, text, sender, status,
        total, created_by_kind, created_by_id, created_at)
      values (?, ?, 'live', ?, ?, 'Selam', ?, 'processing', ?, 'user', ?, now())
    )
    insert into bulk_recipients (batch_id, position, organization_id, contact_id, recipient, refusal)
    select ?, n, ?, gen_random_uuid(), '+251911' || lpad(n::text, 6, '0'), case when n <= ? then 'invalid_recipient' end
    from generate_series(1, ?::int) n`,
    [
      ...[campaignId, organizationId, batchId, organizationId, campaignId, uuidv7(), sender, count, uuidv7()],
      ...[batchId, organizationId, refused, count],
    ],
  );
  await makeChunk(
    sqlOf(database),
    batchId,
    { limit: 250, ratePerSecond: null },
    at,
    createTestHash(database),
  );
}

/** One in which all that there is comes up, however few of the others a slow machine has time for. */
const plainHistory: Operation[][] = [
  [{ name: 'store', tenant: 0, environment: 'live', minute: 0, count: 20, length: 5 }],
  [{ name: 'store', tenant: 1, environment: 'test', minute: 1, count: 20, length: 200 }],
  [{ name: 'bulk', tenant: 0, count: 9, refused: 2, minute: 2 }],
  [{ name: 'update', transition: happenings[0], share: 1, minute: 3 }],
  [{ name: 'update', transition: happenings[3], share: 1, minute: 4 }],
  [{ name: 'update', transition: happenings[4], share: 2, minute: 5 }],
  [{ name: 'update', transition: happenings[6], share: 1, minute: 6 }],
  [{ name: 'redrive', minute: 7 }],
  [{ name: 'update', transition: happenings[8], share: 1, minute: 8 }],
  [{ name: 'fold', limit: 1000 }],
  [{ name: 'move', tenant: 0, timezone: 'Europe/Berlin' }],
  [{ name: 'rollUp', minute: 4500, leastMessages: 1 }],
  [{ name: 'remove', share: 3 }],
  [{ name: 'fold', limit: 1000 }],
  [{ name: 'rollUp', minute: 4500, leastMessages: 1 }],
  [{ name: 'move', tenant: 0, timezone: 'Asia/Kathmandu' }],
  [{ name: 'rollUp', minute: 4500, leastMessages: 1 }],
];

test('after any history of messages, counted at any moment, the counts are those of the messages', async () => {
  const seen = new Set<string>();
  const step = array(oneof(...Object.values(operations)), { minLength: 1, maxLength: 3 });
  await assert(
    asyncProperty(array(step, { minLength: 3, maxLength: 12 }), async (history) => {
      for (const together of history) {
        // A deletion takes the messages in whatever order, and may deadlock with those who change them, or take one that
        // is being redriven; then one of the two did nothing.
        const outcomes = await Promise.allSettled([
          ...together.map(perform),
          foldCounts(database, 25),
          findMiscounts(db).then((miscounts) => expect(miscounts).toEqual(exact)),
        ]);
        const failures = outcomes.flatMap((one) => (one.status === 'rejected' ? String(one.reason) : []));
        expect(
          failures.filter((failure) => !/deadlock detected|messages_redriven_from_foreign/.test(failure)),
        ).toEqual([]);
        expect(await findMiscounts(db)).toEqual(exact);
        await compareReports();
        for (const kind of await kindsOfRows()) seen.add(kind);
      }
      while ((await foldCounts(database)) === 'more');
      expect(await findMiscounts(db)).toEqual(exact);
      expect(await deltas()).toBe(0);
      await compareReports();
    }),
    { numRuns: 40, interruptAfterTimeLimit: 60_000, examples: [[plainHistory]] },
  );
  expect([...seen].sort()).toEqual(
    [
      ...['accepted', 'bulk', 'cancelled', 'delivered', 'failed', 'queued', 'redriven', 'sent', 'test'],
      ...['rolled up', 'day of 23 hours'],
    ].sort(),
  );
}, 90_000);

async function kindsOfRows(): Promise<string[]> {
  const rows = await db.query<{ kind: string }>(`
    select distinct status as kind from messages
    union select 'test' from messages where environment = 'test'
    union select 'bulk' from messages where bulk_batch_id is not null
    union select 'redriven' from messages where redriven_from is not null
    union select 'rolled up' from rolled_up_days
    union select 'day of 23 hours' from rolled_up_days where next_slot - first_slot = interval '23 hours'`);
  return rows.map(({ kind }) => kind);
}

async function deltas(): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select ((select count(*) from message_count_deltas) + (select count(*) from delivery_time_deltas))::int as count`,
  );
  return row!.count;
}

test('an update that changes nothing that counts leaves no delta', async () => {
  const ids = await store(tenants[0]!.organizationId, 'live', atMinute(0), 5);
  while ((await foldCounts(database)) === 'more');
  await db.query(`update messages set dispatch_id = id, attempts = attempts + 1, due_at = now()`);
  await db.query(`update messages set status = status, segments = segments`);
  expect(await deltas()).toBe(0);
  await update(ids, { kind: 'accepted_by_gateway' }, atMinute(1));
  // Five messages of one slot that do the same are one line.
  expect(await deltas()).toBe(1);
});

test('an organization that is deleted takes its counts with it', async () => {
  const doomed = await createTenant(database);
  const ids = await store(doomed.organizationId, 'live', atMinute(5), 7);
  await update(
    ids.slice(0, 3),
    { kind: 'report', report: 'delivered', providerMessageId: null },
    atMinute(6),
  );
  await update(ids.slice(3, 5), { kind: 'refused_by_gateway', errorCode: 'not_routable' }, atMinute(6));
  while ((await foldCounts(database)) === 'more');
  await update(ids.slice(5), { kind: 'accepted_by_gateway' }, atMinute(6));
  // As it is done: an organization that has messages cannot go.
  await db.query('delete from messages where organization_id = ?', [doomed.organizationId]);
  await db.query('delete from organizations where id = ?', [doomed.organizationId]);
  expect(await findMiscounts(db)).toEqual(exact);
  while ((await foldCounts(database)) === 'more');
  const left = await db.query(
    `select organization_id from message_counts where organization_id = ?
      union all select organization_id from delivery_time_counts where organization_id = ?`,
    [doomed.organizationId, doomed.organizationId],
  );
  expect(left).toEqual([]);
});

test('a failed message takes its line of messages without error with it', async () => {
  const lonely = await createTenant(database);
  const [id] = await store(lonely.organizationId, 'live', atMinute(5), 1);
  while ((await foldCounts(database)) === 'more');
  await update([id!], { kind: 'refused_by_gateway', errorCode: 'not_routable' }, atMinute(6));
  while ((await foldCounts(database)) === 'more');
  const rows = await db.query(
    'select error_code, queued, failed from message_counts where organization_id = ?',
    [lonely.organizationId],
  );
  expect(rows).toEqual([{ error_code: 'not_routable', queued: 0, failed: 1 }]);
});

test('of two folds at once one waits for nothing and does nothing; a fold that dies half-way has done nothing', async () => {
  const { organizationId } = tenants[0]!;
  const ids = await store(organizationId, 'live', atMinute(0), 3);
  while ((await foldCounts(database)) === 'more');
  await update(ids, { kind: 'report', report: 'delivered', providerMessageId: null }, atMinute(1));
  const before = await deltas();
  // The fold has taken deltas away, and waits for a row that it is to add them to.
  const holder = new Client({ connectionString: db.url });
  await holder.connect();
  try {
    await holder.query('begin');
    await holder.query('lock table delivery_time_counts in exclusive mode');
    const dying = foldCounts(database).catch((error: unknown) => String(error));
    const waiting = await until('the fold that waits', async () => {
      const [row] = await db.query<{ pid: number }>(
        `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return row;
    });
    expect(await foldCounts(database)).toBe('busy');
    expect(await findMiscounts(db)).toEqual(exact);
    await db.query('select pg_terminate_backend(?)', [waiting.pid]);
    expect(await dying).toMatch(/terminat/);
  } finally {
    await holder.query('rollback');
    await holder.end();
  }
  expect(await deltas()).toBe(before);
  expect(await findMiscounts(db)).toEqual(exact);
  expect(await Promise.all([foldCounts(database), foldCounts(database), foldCounts(database)])).toContain(
    'done',
  );
  expect(await findMiscounts(db)).toEqual(exact);
  expect(await deltas()).toBe(0);
});

test('workers fold by themselves, and go on after an outage', async () => {
  const warnings: unknown[] = [];
  const log = { warn: (...told: unknown[]) => void warnings.push(told) } as unknown as Log;
  await db.query('alter table message_counts rename to message_counts_away');
  await store(tenants[0]!.organizationId, 'live', atMinute(0), 3);
  const workers = [startFolding({ database, log }), startFolding({ database, log })];
  try {
    await until('both to be told of', () => warnings.length === 2);
    await db.query('alter table message_counts_away rename to message_counts');
    await until('all to be folded', async () => (await deltas()) === 0);
    expect(warnings).toHaveLength(2);
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()));
  }
  expect(await findMiscounts(db)).toEqual(exact);
});

test('what a transaction did that was rolled back does not count', async () => {
  await sqlOf(database)
    .transaction()
    .execute(async (transaction) => {
      await sql`delete from messages`.execute(transaction);
      throw new Error('undone');
    })
    .catch(() => undefined);
  expect(await findMiscounts(db)).toEqual(exact);
});

test('an organization can read its counts and change none of them', async () => {
  const [ours, theirs] = [tenants[0]!.organizationId, tenants[1]!.organizationId];
  await store(ours, 'live', atMinute(0), 1);
  await store(theirs, 'live', atMinute(0), 1);
  await asTenants(database, [ours], async (connection) => {
    const { rows } = await sql<{ id: string }>`
      select organization_id as id from message_counts union select organization_id from message_count_deltas
    `.execute(connection);
    expect(rows).toEqual([{ id: ours }]);
  });
  for (const table of [
    'message_counts',
    'message_count_deltas',
    'delivery_time_counts',
    'delivery_time_deltas',
    'rolled_up_days',
    'message_day_counts',
    'delivery_time_day_counts',
  ]) {
    const change = asTenants(database, [ours], (connection) =>
      sql`delete from ${sql.table(table)}`.execute(connection),
    );
    await expect(change).rejects.toThrow('permission denied');
  }
});
