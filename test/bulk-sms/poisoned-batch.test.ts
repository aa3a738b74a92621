import { startTestApi, type TestApi } from '../helpers/api.ts';
import { startBulkEngine, type BulkEngine } from '../helpers/bulk-engine.ts';
import { makeBatch, makeSetting, numberOf, readBatch, type BulkSetting } from '../helpers/bulk.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { join } from '../helpers/notifications.ts';
import { signUp, type Person } from '../helpers/people.ts';
import { createTenant } from '../helpers/tenants.ts';
import { until } from '../helpers/until.ts';

let db: TestDatabase;
let api: TestApi;
let engine: BulkEngine;
let owner: Person;
let onSubmit: (recipient: string) => void = () => undefined;

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database, now: () => engine.now() });
  engine = await startBulkEngine(api, db, {
    rates: { platform: 100_000, sender: 100_000 },
    wrapGateway: (gateway) => ({
      ...gateway,
      submit: (message) => {
        onSubmit(message.to);
        return gateway.submit(message);
      },
    }),
  });
  owner = await signUp(api);
});

afterAll(async () => {
  await engine.stop();
  await api.stop();
  await db.drop();
});

afterEach(async () => {
  onSubmit = () => undefined;
  await db.query('drop function if exists refuse_row cascade');
});

async function makeSettingOf(contacts: number): Promise<BulkSetting> {
  const tenant = await createTenant(db.database);
  await join(db, owner, tenant.organizationId, 'owner');
  const key = await tenant.createKey({ environment: 'test' });
  return makeSetting(api, db, { organizationId: tenant.organizationId, key }, contacts);
}

/** From now on PostgreSQL refuses to store a row for a recipient. */
async function refuse(table: 'bulk_recipients' | 'messages', recipient: string, code: string): Promise<void> {
  await db.query(`create or replace function refuse_row() returns trigger language plpgsql as $$
    begin raise exception 'refused' using errcode = '${code}'; end $$`);
  await db.query(`create trigger refuse_row before insert on ${table} for each row
    when (new.recipient = '${recipient}') execute function refuse_row()`);
}

const told = (id: string) =>
  db.query<{ kind: string; data: object }>(`select kind, data from notifications where subject_id = ?`, [id]);

/** Does what is due until nothing is, through failures, as the workflow's retries do. */
async function runThrough(id: string, attempts = 5): Promise<string> {
  for (let attempt = 1; attempt < attempts; attempt += 1) {
    const end = await engine.run(id).catch(() => null);
    if (end) return end.status;
  }
  return 'retried';
}

describe('a text of as many fields as it has room for', () => {
  const fields = Array.from({ length: 80 }, (_, index) => String.fromCodePoint(0x1201 + index));
  const text = fields.map((name) => `{{customFields.${name}}}`).join('');

  test('is estimated, and sent to each recipient with all of them filled in', async () => {
    expect(Array.from(text).length).toBeLessThanOrEqual(1600);
    expect(Array.from(text).length).toBeGreaterThan(1400);
    const setting = await makeSettingOf(3);
    await db.query(`update contacts set custom_fields = ? where organization_id = ?`, [
      JSON.stringify(Object.fromEntries(fields.map((name, index) => [name, index % 10]))),
      setting.organizationId,
    ]);
    const { key, contactListId } = setting;
    const estimate = await api.call('POST', '/api/v1/bulk-sms/estimate', {
      key,
      json: { contactListId, text },
    });
    expect(estimate).toMatchObject({ status: 200, body: { recipients: 3, messages: 3, segments: 3 } });
    const { id } = await makeBatch(api, setting, { text });
    expect(await runThrough(id)).toBe('completed');
    await until('the reports', async () => (await readBatch(api, setting, id)).ledger.delivered === 3);
    const texts = await db.query(`select distinct text from messages where bulk_batch_id = ?`, [id]);
    expect(texts).toEqual([{ text: '0123456789'.repeat(8) }]);
  });

  test('of which a contact has none, shows their defaults', async () => {
    const setting = await makeSettingOf(1);
    const many = Array.from({ length: 51 }, (_, index) => `{{customFields.a${index}|-}}`).join('');
    const { id } = await makeBatch(api, setting, { text: many });
    expect(await runThrough(id)).toBe('completed');
    expect(await db.query(`select text from messages where bulk_batch_id = ?`, [id])).toEqual([
      { text: '-'.repeat(51) },
    ]);
  });
});

test('a text whose fields make it a thousand times too long is kept as far as one could be sent', async () => {
  const setting = await makeSettingOf(3);
  const long = `s${'😀'.repeat(3900)}`;
  await db.query(`update contacts set custom_fields = ? where organization_id = ?`, [
    JSON.stringify({ x: long }),
    setting.organizationId,
  ]);
  const { id } = await makeBatch(api, setting, { text: '{{customFields.x}}'.repeat(88) });
  expect(await runThrough(id)).toBe('completed');
  expect(
    await db.query(`select distinct text, error_code from messages where bulk_batch_id = ?`, [id]),
  ).toEqual([{ text: `s${'😀'.repeat(1599)}`, error_code: 'text_too_long' }]);
});

// prettier-ignore
test.each<[string, string, 'bulk_recipients' | 'messages', string, string]>([
  ['a value that cannot be stored', 'recipients are frozen', 'bulk_recipients', '22P05', 'failed'],
  ['a function with too many arguments', 'recipients are frozen', 'bulk_recipients', '54023', 'failed'],
  ['a value that cannot be stored', 'messages are made', 'messages', '22P05', 'failed'],
  ['a broken constraint', 'messages are made', 'messages', '23514', 'failed'],
  ['a deadlock', 'recipients are frozen', 'bulk_recipients', '40P01', 'retried'],
  ['a full disk', 'messages are made', 'messages', '53100', 'retried'],
  ['a lost connection', 'messages are made', 'messages', '08006', 'retried'],
])('by %s while %s (%s: %s), a batch is %s', async (...[, , table, code, outcome]) => {
  const setting = await makeSettingOf(2);
  const { id } = await makeBatch(api, setting);
  await refuse(table, numberOf(2), code);
  expect(await runThrough(id)).toBe(outcome);
  const total = table === 'messages' ? 2 : 0;
  const batch = await readBatch(api, setting, id);
  if (outcome === 'failed') {
    expect(batch).toMatchObject({
      ...{ status: 'failed', completedAt: expect.any(String) },
      failure: { code: 'processing_failed', message: expect.stringContaining('permanent error') },
      ledger: { total, failed: total },
    });
    expect(await told(id)).toEqual([
      { kind: 'batch_failed', data: expect.objectContaining({ failure: 'processing_failed' }) },
    ]);
    expect(await db.query('select from bulk_batches where id = ? and wake_at is not null', [id])).toEqual([]);
    return;
  }
  expect(batch).toMatchObject({ failure: null, ledger: { total, queued: total } });
  expect(await told(id)).toEqual([]);
  await db.query('drop function refuse_row cascade');
  expect(await runThrough(id)).toBe('completed');
});

test('a batch that fails in the middle leaves what was made to go on to its end, and its ledger balances', async () => {
  const setting = await makeSettingOf(40);
  const { id } = await makeBatch(api, setting);
  const rate = await api.call('PATCH', `/api/v1/bulk-sms/${id}/rate`, {
    key: setting.key,
    json: { ratePerSecond: 40 },
  });
  expect(rate.status).toBe(200);
  await refuse('messages', numberOf(25), '22P05');
  expect(await runThrough(id)).toBe('failed');
  await until('the reports', async () => (await readBatch(api, setting, id)).ledger.delivered === 20);
  expect(await readBatch(api, setting, id)).toMatchObject({
    failure: { code: 'processing_failed' },
    ledger: { total: 40, delivered: 20, failed: 20, queued: 0 },
  });
});

test('of two who fail at a batch at once one fails it, and it is told of once', async () => {
  const setting = await makeSettingOf(2);
  const { id } = await makeBatch(api, setting);
  await refuse('bulk_recipients', numberOf(1), '22P05');
  await Promise.allSettled([engine.advance(id), engine.advance(id), engine.advance(id)]);
  expect(await readBatch(api, setting, id)).toMatchObject({ status: 'failed' });
  expect(await told(id)).toHaveLength(1);
});

test('a batch that was paused meanwhile stays paused, and fails when it is resumed', async () => {
  const setting = await makeSettingOf(2);
  const { id } = await makeBatch(api, setting);
  await engine.advance(id);
  await refuse('messages', numberOf(1), '22P05');
  const change = (action: string) =>
    api.call('PATCH', `/api/v1/bulk-sms/${id}/${action}`, { key: setting.key });
  expect((await change('pause')).status).toBe(200);
  await engine.run(id);
  expect(await readBatch(api, setting, id)).toMatchObject({ status: 'paused', failure: null });
  expect((await change('resume')).status).toBe(200);
  expect(await runThrough(id)).toBe('failed');
});

test('a message at whose submission the service fails holds up no other one and does not fail its batch', async () => {
  const setting = await makeSettingOf(40);
  const { id } = await makeBatch(api, setting);
  await api.call('PATCH', `/api/v1/bulk-sms/${id}/rate`, { key: setting.key, json: { ratePerSecond: 40 } });
  onSubmit = (recipient) => {
    if (recipient === numberOf(15)) throw new TypeError('x');
  };
  await until('all others to be delivered', async () => {
    await engine.advance(id).catch(() => undefined);
    await engine.carryDispatches().catch(() => undefined);
    return (await readBatch(api, setting, id)).ledger.delivered === 39;
  });
  expect(await readBatch(api, setting, id)).toMatchObject({ status: 'processing', ledger: { queued: 1 } });
  // Its validity ends it, and with it the batch.
  engine.pass(73 * 3600);
  await engine.carryDispatches();
  expect(await runThrough(id)).toBe('completed');
  expect((await readBatch(api, setting, id)).ledger).toMatchObject({ delivered: 39, failed: 1 });
});
