import { watchConversion } from '../../../src/security-codes/watch/watch-conversion.ts';
import { startTestApi, type TestApi } from '../../helpers/api.ts';
import { createTestDatabase, openAs, type TestDatabase } from '../../helpers/databases.ts';
import { makeAdministrator, signUp, type Person } from '../../helpers/people.ts';
import { createCodeMill, type SentCodes } from '../../helpers/sent-codes.ts';
import { createTenant, type Tenant } from '../../helpers/tenants.ts';

let db: TestDatabase;
let worker: Awaited<ReturnType<typeof openAs>>;
let api: TestApi;
let administrator: Person;
let owner: Person;
let tenant: Tenant;
let key: string;
let sent: (codes: SentCodes) => Promise<void>;
let now: Date;

beforeAll(async () => {
  db = await createTestDatabase();
  worker = await openAs(db, 'sms_worker');
  api = await startTestApi({ database: db.database, now: () => now });
  now = new Date();
  administrator = await signUp(api);
  await makeAdministrator(db, administrator);
});

let hours = 0;

beforeEach(async () => {
  // Each test has hours of its own, with nothing in the window.
  now = new Date(Math.ceil(Date.now() / 60_000) * 60_000 + (hours += 3) * 3_600_000);
  await db.query('delete from security_code_counts');
  await db.query('delete from security_code_watch');
  await db.query(`insert into security_code_watch (id, mode) values (1, 'hold')`);
  tenant = await createTenant(db.database);
  key = await tenant.createKey();
  owner = await signUp(api);
  await db.query(
    `insert into members (id, organization_id, user_id, role, created_at) values (gen_random_uuid(), ?, ?, 'owner', now())`,
    [tenant.organizationId, owner.userId],
  );
  sent = await createCodeMill(api, db, key);
});

afterAll(async () => {
  await api.stop();
  await worker.close();
  await db.drop();
});

const minutes = (count: number) => new Date(now.getTime() + count * 60_000);
const later = (count: number) => (now = minutes(count));
const look = () => watchConversion(worker.database, now);
const send = (to: string, withKey = key) =>
  api.call('POST', '/api/v1/security-codes/send', { key: withKey, json: { to } });
const held = { status: 422, body: { code: 'security_codes_held' } };
const pumped = { beginning: '+25471100', codes: 40, verified: 2 };
const victim = '+254711009999';

const alarms = async () =>
  (
    await administrator.call(
      'GET',
      `/api/v1/admin/security-codes/alarms?organizationId=${tenant.organizationId}`,
    )
  ).body.data as Record<string, unknown>[];

test('a prefix with many codes of which few are verified is held for this organization', async () => {
  await sent({ ...pumped, at: minutes(-30) });
  await sent({ beginning: '+25191100', codes: 40, verified: 30, at: minutes(-30) });
  expect(await look()).toEqual([
    {
      ...{ id: expect.any(String), organizationId: tenant.organizationId, prefix: '+254711', holds: true },
      ...{ codes: 40, verified: 2, raisedAt: now, endsAt: minutes(12 * 60) },
    },
  ]);
  const refused = await send(victim);
  expect(refused).toMatchObject(held);
  expect(refused.body.detail).toContain(minutes(12 * 60).toISOString());
  expect((await send('+254722009999')).status).toBe(202);
  expect((await send('+251911009999')).status).toBe(202);
  const stranger = await createTenant(db.database);
  expect((await send(victim, await stranger.createKey())).status).toBe(202);
  expect((await send(victim, await tenant.createKey({ environment: 'test' }))).status).toBe(202);
  expect(
    await db.query(
      'select id from security_codes where recipient = ? and organization_id = ? and environment = ?',
      [...[victim, tenant.organizationId, 'live']],
    ),
  ).toEqual([]);
});

test('the refusal also holds for the code with which a contact is verified', async () => {
  await sent({ ...pumped, at: minutes(-30) });
  await look();
  const contact = { organizationId: tenant.organizationId, phoneNumber: victim };
  const { body } = await api.call('POST', '/api/v1/contacts', { key, json: contact });
  const json = { organizationId: tenant.organizationId };
  const path = `/api/v1/contacts/${body.id}/verification/request`;
  expect(await api.call('POST', path, { key, json })).toMatchObject(held);
});

test('an alarm is in the audit log, and its owners are notified once', async () => {
  await sent({ ...pumped, at: minutes(-30) });
  const [alarm] = await look();
  later(1);
  await look();
  const audit = await administrator.call(
    'GET',
    `/api/v1/admin/audit-events?organizationId=${tenant.organizationId}`,
  );
  expect(audit.body.data).toMatchObject([
    {
      ...{ action: 'security_code_alarm.raised', subjectId: alarm!.id, actor: { kind: 'system', id: null } },
      details: { prefix: '+254711', holds: true, codes: 40, verified: 2 },
    },
  ]);
  const told = await owner.call('GET', `/api/v1/notifications/?organizationId=${tenant.organizationId}`);
  expect(told.body.data).toMatchObject([
    {
      ...{ kind: 'security_codes_unverified', subjectId: alarm!.id },
      title: 'Few security codes to +254711 are verified',
      data: { alarmId: alarm!.id, prefix: '+254711', holds: true, codes: 40, verified: 2 },
    },
  ]);
});

test.each<[string, SentCodes[]]>([
  ['one code fewer than the minimum', [{ ...pumped, codes: 29, verified: 0, at: new Date(0) }]],
  ['exactly the share that is required', [{ ...pumped, codes: 40, verified: 8, at: new Date(0) }]],
  [
    'codes of two prefixes, of which neither has the minimum',
    [
      { ...pumped, codes: 20, at: new Date(0) },
      { ...pumped, beginning: '+25472200', codes: 20, at: new Date(0) },
    ],
  ],
  ['codes whose messages wait, as in an outage', [{ ...pumped, status: 'queued', at: new Date(0) }]],
  ['codes whose messages failed', [{ ...pumped, status: 'failed', at: new Date(0) }]],
])('%s raises no alarm', async (_what, all) => {
  for (const codes of all) await sent({ ...codes, at: minutes(-30) });
  expect(await look()).toEqual([]);
  expect((await send(victim)).status).toBe(202);
});

test('the share counts over the whole window, in whatever minutes the codes were sent', async () => {
  for (const minute of [-60, -40, -20, -10])
    await sent({ ...pumped, codes: 8, verified: 0, at: minutes(minute) });
  expect(await look()).toMatchObject([{ codes: 32, verified: 0 }]);
});

test('codes of test keys raise no alarm', async () => {
  const millOfTests = await createCodeMill(api, db, await tenant.createKey({ environment: 'test' }));
  await millOfTests({ ...pumped, at: minutes(-30) });
  expect(await look()).toEqual([]);
});

test('a code counts when it is five minutes old, and for an hour', async () => {
  await sent({ ...pumped, at: minutes(-3) });
  expect(await look()).toEqual([]);
  later(5);
  expect(await look()).toHaveLength(1);
  await db.query('delete from security_code_alarms');
  later(50);
  expect(await look()).toHaveLength(1);
  await db.query('delete from security_code_alarms');
  later(10);
  expect(await look()).toEqual([]);
  expect(await db.query('select from security_code_counts')).toEqual([]);
});

test('each minute is counted once, however often and late the worker looks', async () => {
  await sent({ ...pumped, codes: 20, at: minutes(-30) });
  await look();
  await look();
  later(7);
  await sent({ ...pumped, codes: 9, verified: 0, at: minutes(-6) });
  expect(await look()).toEqual([]);
  expect(await db.query('select sum(codes)::int as codes from security_code_counts')).toEqual([
    { codes: 29 },
  ]);
});

test('two workers at once raise one alarm', async () => {
  await sent({ ...pumped, at: minutes(-30) });
  const raised = (await Promise.all([look(), look(), look(), watchConversion(db.database, now)])).flat();
  expect(raised).toHaveLength(1);
  expect(await alarms()).toHaveLength(1);
});

test('a round that fails leaves nothing, and the next one does its work', async () => {
  await sent({ ...pumped, at: minutes(-30) });
  await db.query('alter table notifications rename to notifications_away');
  await expect(look()).rejects.toThrow('notifications');
  await db.query('alter table notifications_away rename to notifications');
  expect(await alarms()).toEqual([]);
  expect(await look()).toHaveLength(1);
});

test('a hold ends by itself, and only later codes raise another one', async () => {
  await sent({ ...pumped, at: minutes(-30) });
  await db.query('update security_code_watch set hold_hours = 1');
  await look();
  later(59);
  expect(await send(victim)).toMatchObject(held);
  later(1);
  expect((await send(victim)).status).toBe(202);
  // The worker has not looked since, and the list says all the same that it ended.
  expect(await alarms()).toMatchObject([{ endedAt: now.toISOString(), releasedBy: null }]);
  await sent({ ...pumped, at: minutes(2) });
  later(10);
  expect(await look()).toHaveLength(1);
  expect(await send(victim)).toMatchObject(held);
});

test('a released hold is not raised again by the codes before it', async () => {
  await sent({ ...pumped, at: minutes(-30) });
  await sent({ ...pumped, at: minutes(-2) });
  const [alarm] = await look();
  expect(
    await administrator.call('POST', `/api/v1/admin/security-codes/alarms/${alarm!.id}/release`),
  ).toMatchObject({ status: 200, body: { endedAt: now.toISOString(), releasedBy: administrator.userId } });
  expect((await send(victim)).status).toBe(202);
  later(10);
  expect(await look()).toEqual([]);
  await sent({ ...pumped, at: minutes(0) });
  later(10);
  expect(await look()).toHaveLength(1);
});

describe('the mode', () => {
  test('off counts and raises nothing', async () => {
    await db.query(`update security_code_watch set mode = 'off'`);
    await sent({ ...pumped, at: minutes(-30) });
    expect(await look()).toEqual([]);
    expect(await db.query('select from security_code_counts')).toEqual([]);
  });

  test('alarm refuses nothing; an alarm that lasts begins to hold when the mode becomes hold', async () => {
    await db.query(`update security_code_watch set mode = 'alarm'`);
    await sent({ ...pumped, at: minutes(-30) });
    expect(await look()).toMatchObject([{ holds: false }]);
    expect((await send(victim)).status).toBe(202);
    await db.query(`update security_code_watch set mode = 'hold'`);
    later(1);
    const [alarm] = await look();
    expect(alarm).toMatchObject({ holds: true });
    expect(await send(victim)).toMatchObject(held);
    expect(await look()).toEqual([]);
    expect(await alarms()).toHaveLength(1);
    const told = await owner.call('GET', `/api/v1/notifications/?organizationId=${tenant.organizationId}`);
    expect(told.body.data.map(({ data }: { data: { holds: boolean } }) => data.holds)).toEqual([true, false]);
  });
});

test.each([
  ['the organization', () => ['exempt_organization_ids', `{${tenant.organizationId}}`]],
  ['the prefix', () => ['exempt_prefixes', '{+254711}']],
  ['the country', () => ['exempt_prefixes', '{+1,+254}']],
])('%s may be exempt', async (_what, exemption) => {
  const [column, value] = exemption();
  await db.query(`update security_code_watch set ${column} = ?`, [value]);
  await sent({ ...pumped, at: minutes(-30) });
  expect(await look()).toEqual([]);
});

test('an idempotent request that was answered before the hold keeps its answer', async () => {
  const options = { key, json: { to: victim }, headers: { 'idempotency-key': 'sign-up-1' } };
  const first = await api.call('POST', '/api/v1/security-codes/send', options);
  await sent({ ...pumped, at: minutes(-30) });
  await look();
  expect(await api.call('POST', '/api/v1/security-codes/send', options)).toMatchObject({
    ...{ status: 202, body: first.body },
  });
});
