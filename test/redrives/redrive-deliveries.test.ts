import { v7 as uuidv7 } from 'uuid';
import type { Environment } from '../../src/principal.ts';
import type { Answer } from '../helpers/api.ts';
import { startRedriveTest, withinAnHour, type RedriveTest } from '../helpers/redrives.ts';
import { createTenant, type Tenant } from '../helpers/tenants.ts';

let redrives: RedriveTest;
let tenant: Tenant;

beforeAll(async () => {
  redrives = await startRedriveTest();
}, 60_000);

beforeEach(async () => {
  tenant = await createTenant(redrives.db.database);
  redrives.takeStarted();
});

afterAll(() => redrives.stop());

interface Ended {
  count?: number;
  status?: 'pending' | 'retrying' | 'delivered' | 'dead';
  environment?: Environment;
  createdAt?: Date;
  of?: Tenant;
  /** How the attempts ended, the last one last: with an HTTP status or an error code. */
  attempts?: (number | string)[];
}

/** Stores deliveries, a millisecond apart, with attempts that ended so; answers their ids. */
async function store(options: Ended = {}): Promise<string[]> {
  const { count = 1, status = 'dead', environment = 'live', of = tenant, attempts = [503] } = options;
  const { createdAt = new Date(Date.now() - 60_000) } = options;
  const ids = Array.from({ length: count }, () => uuidv7());
  const list = ids.join(',');
  await redrives.db.query(
    `insert into messages (id, organization_id, environment, sender, recipient, text, encoding, segments, status,
        metadata, created_at, valid_until)
      select id::uuid, ?::uuid, ?, 'ACME', '+251911234567', 'x', 'gsm7', 1, 'accepted', '{}', now(), now()
      from unnest(string_to_array(?, ',')) id`,
    [of.organizationId, environment, list],
  );
  await redrives.db.query(
    `insert into webhook_deliveries (id, organization_id, environment, message_id, event, position, url, body,
        status, attempts, created_at, dispatch_id, due_at)
      select id::uuid, ?::uuid, ?, id::uuid, 'message.accepted', 1, 'https://example.com/hook', '{"a":1}', ?, ?::int,
        ?::timestamptz + n * interval '1 ms', id::uuid, null
      from unnest(string_to_array(?, ',')) with ordinality as one(id, n)`,
    [of.organizationId, environment, status, attempts.length, createdAt.toISOString(), list],
  );
  for (const [index, end] of attempts.entries()) {
    await redrives.db.query(
      `insert into webhook_attempts (delivery_id, organization_id, number, started_at, duration_ms, response_status, error)
        select id::uuid, ?::uuid, ?::int, now(), 5, ?::int, ? from unnest(string_to_array(?, ',')) id`,
      [
        ...[of.organizationId, index + 1],
        ...[typeof end === 'number' ? end : null, typeof end === 'string' ? end : null, list],
      ],
    );
  }
  return ids;
}

async function redrive(more: object = {}): Promise<Answer['body']> {
  const filter = { ...withinAnHour(tenant.organizationId), ...more };
  return redrives.carryOut((await redrives.request('webhook_deliveries', filter)).id as string);
}

const pending = async (): Promise<string[]> => {
  const rows = await redrives.db.query<{ id: string }>(
    `select id from webhook_deliveries where organization_id = ? and status = 'pending' order by created_at, id`,
    [tenant.organizationId],
  );
  return rows.map(({ id }) => id);
};

test('each dead delivery is pending again, with a fresh budget, unassigned and due, and is started', async () => {
  const ids = await store({ count: 450, attempts: [503, 503] });
  const done = await redrive();
  expect(done).toMatchObject({
    ...{ kind: 'webhook_deliveries', status: 'completed', matched: 450, redriven: 450, skipped: {} },
  });
  expect(await pending()).toEqual(ids);
  expect(redrives.takeStarted().toSorted()).toEqual(ids.toSorted());
  const states = await redrives.db.query(
    `select distinct attempts, attempts_before, dispatch_id, due_at <= now() as due from webhook_deliveries
      where organization_id = ?`,
    [tenant.organizationId],
  );
  expect(states).toEqual([{ attempts: 2, attempts_before: 2, dispatch_id: null, due: true }]);
});

test.each<[errorCode: string, ends: (number | string)[], fits: boolean]>([
  ['503', [500, 503], true],
  ['503', [503, 500], false],
  ['http_error', [503], true],
  ['http_error', ['timeout'], false],
  ['timeout', [503, 'timeout'], true],
  ['timeout', ['timeout', 503], false],
  ['gone', [410], true],
  ['410', [410], true],
  ['http_error', [410], false],
  ['redirected', [302], true],
  ['redirected', [304], false],
  ['http_error', [304], true],
  ['connection_refused', ['connection_refused'], true],
  // What an older version stored is shown as this, so it is found by this.
  ['request_failed', ['ECONNREFUSED'], true],
  ['request_failed', ['timeout'], false],
])('errorCode %s, of attempts that ended with %j: redriven is %s', async (...[errorCode, attempts, fits]) => {
  const ids = await store({ attempts });
  expect(await redrive({ errorCode })).toMatchObject({ matched: fits ? 1 : 0, redriven: fits ? 1 : 0 });
  expect(await pending()).toEqual(fits ? ids : []);
});

test('takes what fits its filter and nothing else', async () => {
  const createdAt = new Date('2026-11-20T10:00:00.000Z');
  const before = (ms: number) => new Date(createdAt.getTime() - 1 - ms);
  const ids = await store({ createdAt: before(0), environment: 'test' });
  await store({ createdAt: before(1), environment: 'test' });
  await store({ createdAt: before(-1), environment: 'test' });
  await store({ createdAt: before(0), environment: 'live' });
  await store({ createdAt: before(0), environment: 'test', of: await createTenant(redrives.db.database) });
  for (const status of ['retrying', 'delivered'] as const) {
    await store({ createdAt: before(0), environment: 'test', status });
  }
  const to = new Date(createdAt.getTime() + 1).toISOString();
  expect(await redrive({ from: createdAt.toISOString(), to, environment: 'test' })).toMatchObject({
    ...{ matched: 1, redriven: 1, skipped: {} },
  });
  expect(await pending()).toEqual(ids);
});

test.each([
  ['within a page', 3, 10],
  ['at the end of a page', 200, 260],
  ['on a later page', 250, 450],
])('stops at its limit %s, oldest first, and another goes on from there', async (...[, limit, count]) => {
  const ids = await store({ count });
  expect(await redrive({ limit })).toMatchObject({ status: 'completed', matched: limit, redriven: limit });
  expect(await pending()).toEqual(ids.slice(0, limit));
  expect(await redrive()).toMatchObject({ matched: count - limit, redriven: count - limit });
});

test('two redrives of the same filter at the same time take each delivery once', async () => {
  const ids = await store({ count: 900 });
  const both = await Promise.all([redrive(), redrive()]);
  expect(both[0].redriven + both[1].redriven).toBe(900);
  for (const { matched, redriven, skipped } of both) expect(redriven + (skipped.not_dead ?? 0)).toBe(matched);
  expect(redrives.takeStarted().toSorted()).toEqual(ids.toSorted());
});

test('a delivery that dies anew while its redrive runs is not taken a second time', async () => {
  const ids = await store({ count: 250 });
  const { id } = await redrives.request('webhook_deliveries', withinAnHour(tenant.organizationId));
  await redrives.redrivePage(id as string);
  await redrives.db.query(`update webhook_deliveries set status = 'dead' where id = ?`, [ids[0]]);
  expect(await redrives.carryOut(id as string)).toMatchObject({
    status: 'completed',
    matched: 250,
    redriven: 250,
  });
  expect(await pending()).toEqual(ids.slice(1));
});
