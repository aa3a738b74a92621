import { v7 as uuidv7 } from 'uuid';
import { createRetentionPage } from '../../src/privacy/retention-page.ts';
import { startTestApi, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { joinAs } from '../helpers/owner.ts';
import { problemOf, type Person } from '../helpers/people.ts';
import { createTenant, type Tenant } from '../helpers/tenants.ts';

const path = '/api/v1/privacy/retention';
const dayMs = 24 * 3_600_000;
const number = '+251911234567';
const masked = '+251*******67';

let db: TestDatabase;
let api: TestApi;
let tenant: Tenant;
let owner: Person;
let clock: Date;

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database });
});

beforeEach(async () => {
  tenant = await createTenant(db.database);
  owner = await joinAs('owner', { api, db }, tenant.organizationId);
  clock = new Date();
});

afterAll(async () => {
  await api.stop();
  await db.drop();
});

const keepFor = (periods: object, person = owner) => person.call('PUT', path, { json: periods });
const read = async () => (await owner.call('GET', path)).body;

/** Runs the pages of a day until the day is done, as the workflow does. */
async function runDay(rows = 3, organizationId = tenant.organizationId): Promise<void> {
  const page = createRetentionPage({ database: db.database, now: () => clock, rows });
  for (;;) if ((await page(organizationId))?.status !== 'running') return;
}

interface Given {
  daysAgo: number;
  status?: string;
  environment?: string;
  organizationId?: string;
  oneTimeText?: boolean;
}

/** Stores a message of some days ago, with a webhook delivery that has the same status of being final. */
async function storeMessage({
  daysAgo,
  status = 'delivered',
  environment = 'live',
  ...given
}: Given): Promise<string> {
  const createdAt = new Date(clock.getTime() - daysAgo * dayMs);
  const id = uuidv7({ msecs: createdAt.getTime() });
  const organizationId = given.organizationId ?? tenant.organizationId;
  await db.query(
    `insert into messages (id, organization_id, environment, sender, recipient, text, encoding, segments, status, metadata,
        created_at, valid_until, one_time_text)
      values (?, ?, ?, 'ACME', ?, 'Selam', 'gsm7', 1, ?, '{}', ?, ?, ?)`,
    [id, organizationId, environment, number, status, createdAt, createdAt, given.oneTimeText ?? false],
  );
  return id;
}

async function storeDelivery(messageId: string, daysAgo: number, status = 'delivered'): Promise<string> {
  const createdAt = new Date(clock.getTime() - daysAgo * dayMs);
  const id = uuidv7({ msecs: createdAt.getTime() });
  await db.query(
    `insert into webhook_deliveries (id, organization_id, environment, message_id, event, position, url, body, status, created_at)
      select ?, organization_id, environment, id, 'message.delivered', 3, 'https://example.com/', '{"to":"x"}', ?, ?
      from messages where id = ?`,
    [id, status, createdAt, messageId],
  );
  await db.query(
    `insert into webhook_attempts (delivery_id, organization_id, number, started_at, response_body) values (?, ?, 1, now(), 'ok')`,
    [id, tenant.organizationId],
  );
  return id;
}

const messages = () =>
  db.query<{ id: string; text: string; recipient: string }>(
    'select id, text, recipient from messages where organization_id = ? order by id',
    [tenant.organizationId],
  );

describe('the rules', () => {
  test('keep everything by default', async () => {
    expect(await owner.call('GET', path)).toMatchObject({
      status: 200,
      body: { textDays: null, numberDays: null, inboundDays: null, webhookBodyDays: null, lastRunAt: null },
    });
  });

  test('are replaced as a whole, and the audit log says by whom', async () => {
    expect((await keepFor({ textDays: 30, numberDays: 90 })).body).toMatchObject({
      textDays: 30,
      numberDays: 90,
    });
    expect((await keepFor({ inboundDays: 7, textDays: null })).body).toMatchObject({
      ...{ textDays: null, numberDays: null, inboundDays: 7, webhookBodyDays: null },
    });
    const { body } = await owner.call('GET', '/api/v1/audit-events');
    expect(body.data[0]).toMatchObject({
      action: 'retention.changed',
      actor: { id: owner.userId },
      details: { textDays: null, inboundDays: 7 },
    });
  });

  test.each([
    ['fewer days than it takes until a message is final', { textDays: 6 }, '/body/textDays'],
    ['more than ten years', { numberDays: 3651 }, '/body/numberDays'],
    ['a fraction', { inboundDays: 7.5 }, '/body/inboundDays'],
    ['a word', { webhookBodyDays: 'long' }, '/body/webhookBodyDays'],
    ['an unknown rule', { days: 30 }, '/body/days'],
  ])('%s is refused, and nothing changes', async (_name, change, at) => {
    await keepFor({ textDays: 30 });
    const before = await read();
    expect((await keepFor(change)).body).toMatchObject({
      status: 400,
      code: 'invalid_request',
      errors: [{ path: at }],
    });
    expect(await read()).toEqual(before);
  });

  test('are for owners and admins, not for members, keys or strangers', async () => {
    const member = await joinAs('member', { api, db }, tenant.organizationId);
    expect(problemOf(await keepFor({ textDays: 30 }, member))).toEqual({
      status: 403,
      code: 'permission_denied',
    });
    const key = await tenant.createKey();
    expect(
      problemOf(await api.call('PUT', path, { key, json: { textDays: 30 } })).status,
    ).toBeGreaterThanOrEqual(401);
    const { organizationId } = await createTenant(db.database);
    expect(problemOf(await keepFor({ textDays: 30, organizationId }))).toEqual({
      status: 404,
      code: 'not_found',
    });
    expect(await db.query('select from retention_rules where organization_id = ?', [organizationId])).toEqual(
      [],
    );
  });
});

describe('a day', () => {
  test('discards old texts, and nothing of younger, unfinished, one-time and other organizations’ messages', async () => {
    const stranger = await createTenant(db.database);
    const old = [];
    for (let index = 0; index < 8; index += 1)
      old.push(await storeMessage({ daysAgo: 40, environment: index % 2 ? 'test' : 'live' }));
    await storeMessage({ daysAgo: 29 });
    await storeMessage({ daysAgo: 40, status: 'sent' });
    await storeMessage({ daysAgo: 40, oneTimeText: true });
    const theirs = await storeMessage({ daysAgo: 40, organizationId: stranger.organizationId });
    const report = await owner.call('GET', '/api/v1/analytics/');
    await keepFor({ textDays: 30 });
    await runDay();
    const rows = await messages();
    expect(rows.filter(({ text }) => text === '').map(({ id }) => id)).toEqual(old.toSorted());
    expect(rows.every(({ recipient }) => recipient === number)).toBe(true);
    expect(await db.query('select text from messages where id = ?', [theirs])).toEqual([{ text: 'Selam' }]);
    expect(await read()).toMatchObject({
      discarded: { messageTexts: 8, messageNumbers: 0 },
      lastRunAt: expect.any(String),
    });
    expect((await owner.call('GET', '/api/v1/analytics/')).body).toEqual(report.body);
  });

  test('masks old numbers, also those of security codes, and a filter by the number finds them no longer', async () => {
    const id = await storeMessage({ daysAgo: 100 });
    await db.query(
      `insert into security_codes (id, organization_id, environment, purpose, recipient, code_hash, status, max_attempts,
          message_id, created_at, expires_at)
        values (gen_random_uuid(), ?, 'live', 'x', ?, '', 'verified', 5, ?, now(), now())`,
      [tenant.organizationId, number, id],
    );
    const young = await storeMessage({ daysAgo: 10 });
    await keepFor({ numberDays: 90 });
    await runDay();
    expect(await messages()).toMatchObject([
      { id, recipient: masked, text: 'Selam' },
      { id: young, recipient: number },
    ]);
    const codes = await db.query('select recipient from security_codes where message_id = ?', [id]);
    expect(codes).toEqual([{ recipient: masked }]);
    const key = await tenant.createKey();
    const { body } = await api.call('GET', `/api/v1/messages?to=${encodeURIComponent(number)}`, { key });
    expect(body.data).toMatchObject([{ id: young }]);
  });

  test('discards inbound messages and webhook bodies that have come to their end', async () => {
    const message = await storeMessage({ daysAgo: 40 });
    const other = await storeMessage({ daysAgo: 40 });
    const ended = await storeDelivery(message, 39);
    const pending = await storeDelivery(other, 39, 'retrying');
    const at = new Date(clock.getTime() - 40 * dayMs);
    const inbound = uuidv7({ msecs: at.getTime() });
    await db.query(
      `insert into inbound_messages (id, organization_id, sender, recipient, text, deduplication_key, status, created_at)
        values (?, ?, ?, '8080', 'Selam', ?::text::bytea, 'processed', ?)`,
      [inbound, tenant.organizationId, number, inbound, at],
    );
    await keepFor({ inboundDays: 30, webhookBodyDays: 30 });
    await runDay();
    expect(await db.query('select sender, text from inbound_messages where id = ?', [inbound])).toEqual([
      { sender: masked, text: '' },
    ]);
    const deliveries = await db.query<{ id: string; body: string; response: string | null }>(
      `select id, body, (select response_body from webhook_attempts where delivery_id = webhook_deliveries.id) as response
        from webhook_deliveries where organization_id = ?`,
      [tenant.organizationId],
    );
    expect(deliveries.find(({ id }) => id === ended)).toMatchObject({ body: '', response: null });
    expect(deliveries.find(({ id }) => id === pending)).toMatchObject({ body: '{"to":"x"}', response: 'ok' });
    expect((await read()).discarded).toMatchObject({ inboundMessages: 1, webhookBodies: 1 });
  });

  test('goes on after a page whose answer was lost, and counts each row once, also with two calls at once', async () => {
    for (let index = 0; index < 10; index += 1) await storeMessage({ daysAgo: 40 });
    await keepFor({ textDays: 30 });
    const page = createRetentionPage({ database: db.database, now: () => clock, rows: 2 });
    await Promise.all([
      page(tenant.organizationId),
      page(tenant.organizationId),
      page(tenant.organizationId),
    ]);
    await runDay(2);
    expect((await messages()).every(({ text }) => text === '')).toBe(true);
    expect((await read()).discarded.messageTexts).toBe(10);
  });

  test('the next day takes what has become old, and what was not final the day before', async () => {
    const late = await storeMessage({ daysAgo: 40, status: 'sent' });
    const young = await storeMessage({ daysAgo: 29.5 });
    await keepFor({ textDays: 30 });
    await runDay();
    expect((await messages()).map(({ text }) => text)).toEqual(['Selam', 'Selam']);
    await db.query(`update messages set status = 'failed' where id = ?`, [late]);
    // The end of the day before is no further than the message that was not final.
    clock = new Date(clock.getTime() + dayMs);
    await runDay();
    expect((await messages()).map(({ id, text }) => [id, text])).toEqual([
      [late, ''],
      [young, ''],
    ]);
  });

  test('of an organization without rules changes nothing', async () => {
    await storeMessage({ daysAgo: 400 });
    await runDay();
    expect(await messages()).toMatchObject([{ text: 'Selam', recipient: number }]);
  });
});
