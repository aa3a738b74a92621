import { parse } from 'csv-parse/sync';
import { startTestApi, type Answer, type TestApi } from '../helpers/api.ts';
import { startBulkEngine, type BulkEngine } from '../helpers/bulk-engine.ts';
import {
  addContacts,
  makeBatch,
  makeSetting,
  numberOf,
  readBatch,
  type BulkSetting,
} from '../helpers/bulk.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { signUp } from '../helpers/people.ts';
import { createTenant } from '../helpers/tenants.ts';
import { until } from '../helpers/until.ts';

let db: TestDatabase;
let api: TestApi;
let engine: BulkEngine;
let setting: BulkSetting;
let id: string;

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database, now: () => engine.now() });
  engine = await startBulkEngine(api, db, { rates: { platform: 100_000, sender: 100_000 } });
  setting = await newSetting(60);
  await db.query(
    `update contacts set first_name = '=HYPERLINK("x")', search_text = search_text || chr(10) || 'abebe' where phone_number = ?`,
    [numberOf(5)],
  );
  await api.call('POST', '/api/v1/suppressions', { key: setting.key, json: { phoneNumber: numberOf(6) } });
  ({ id } = await makeBatch(api, setting, { text: '{{firstName}}' }));
  await engine.run(id);
  await until('the reports', async () => (await readBatch(api, setting, id)).ledger.delivered === 59);
}, 60_000);

afterAll(async () => {
  await engine.stop();
  await api.stop();
  await db.drop();
});

async function newSetting(contacts: number): Promise<BulkSetting> {
  const tenant = await createTenant(db.database);
  const key = await tenant.createKey({ environment: 'test' });
  return makeSetting(api, db, { organizationId: tenant.organizationId, key }, contacts);
}

async function list(query: string): Promise<any> {
  const { status, body } = await api.call('GET', `/api/v1/bulk-sms/${id}/messages${query}`, {
    key: setting.key,
  });
  expect(status).toBe(200);
  return body;
}

const positions = ({ data }: { data: { position: number }[] }) => data.map(({ position }) => position);
const numbersFrom = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

test('pages go through all recipients in the order of sending', async () => {
  const first = await list('');
  expect(first.pagination).toEqual({ page: 1, pageSize: 25, total: 60, totalPages: 3 });
  expect(positions(first)).toEqual(numbersFrom(1, 25));
  expect(positions(await list('?page=3'))).toEqual(numbersFrom(51, 60));
  expect(positions(await list('?page=4'))).toEqual([]);
  expect(positions(await list('?page=2&pageSize=100'))).toEqual([]);
  expect(first.data[0]).toMatchObject({ to: numberOf(1), text: 'Name1', status: 'delivered', segments: 1 });
  const message = await api.call('GET', `/api/v1/messages/${first.data[0].messageId}`, { key: setting.key });
  expect(message.body).toMatchObject({ text: 'Name1', to: numberOf(1) });
});

test.each([
  ['the number in E.164', numberOf(7), [7]],
  ['the number as it is dialled at home', numberOf(7).replace('+251', '0'), [7]],
  [
    'the number with spaces',
    numberOf(7)
      .replace('+251', '0')
      .replace(/(\d{3})/g, '$1 '),
    [7],
  ],
  ['the number with 00 for +', numberOf(7).replace('+', '00'), [7]],
  ['the number with the 0 of home', numberOf(7).replace('+251', '+2510'), [7]],
  ['the end of the number', numberOf(7).slice(-4), [7]],
  ['the name, whatever its case', 'ABEBE', [5]],
  ['a wildcard, which is none', '%', []],
  ['nothing there', 'nobody', []],
])('a search finds %s', async (...[, search, found]) => {
  const page = await list(`?search=${encodeURIComponent(search)}`);
  expect(positions(page)).toEqual(found);
  expect(page.pagination.total).toBe(found.length);
});

test('a status lists as many as the ledger counts', async () => {
  const { ledger } = await readBatch(api, setting, id);
  for (const status of ['queued', 'accepted', 'sent', 'delivered', 'failed', 'cancelled']) {
    expect((await list(`?status=${status}&pageSize=1`)).pagination.total).toBe(ledger[status]);
  }
  expect((await list('?status=failed')).data).toMatchObject([
    { position: 6, errorCode: 'recipient_opted_out', errorMessage: expect.any(String), segments: 1 },
  ]);
});

test('what is counted of a batch is kept once it cannot change any more, and not before', async () => {
  const other = await newSetting(2);
  const { id: batchId } = await makeBatch(api, other);
  const kept = async () =>
    (
      await db.query<{ kept: object | null }>(
        'select settled_counts as kept from bulk_batches where id = ?',
        [batchId],
      )
    )[0]!.kept;
  await engine.advance(batchId);
  await readBatch(api, other, batchId);
  expect(await kept()).toBeNull();
  await engine.run(batchId);
  const settled = await until('the reports', async () => {
    const { ledger } = await readBatch(api, other, batchId);
    return ledger.delivered === 2 && ledger;
  });
  expect(await kept()).toMatchObject({ delivered: 2, segments: 2 });
  expect(await readBatch(api, other, batchId)).toMatchObject({ ledger: settled, segments: 2 });
  const { body } = await api.call('GET', '/api/v1/bulk-sms', { key: other.key });
  expect(body.data).toMatchObject([{ id: batchId, ledger: settled }]);
});

test.each(['?page=0', '?page=x', '?pageSize=101', '?status=gone'])('%s is refused', async (query) => {
  const { body } = await api.call('GET', `/api/v1/bulk-sms/${id}/messages${query}`, { key: setting.key });
  expect(body).toMatchObject({ status: 400, code: 'invalid_request' });
});

test('recipients without a message are listed with what the ledger counts them as', async () => {
  const other = await newSetting(3);
  const { id: waiting } = await makeBatch(api, other);
  await engine.advance(waiting);
  const page = async () =>
    (await api.call('GET', `/api/v1/bulk-sms/${waiting}/messages`, { key: other.key })).body.data as object[];
  expect(await page()).toMatchObject(
    numbersFrom(1, 3).map(() => ({ status: 'queued', messageId: null, text: null })),
  );
  await api.call('DELETE', `/api/v1/bulk-sms/${waiting}`, { key: other.key });
  expect(await page()).toMatchObject(numbersFrom(1, 3).map(() => ({ status: 'cancelled' })));
});

const readCsv = ({ body }: Answer) =>
  parse<Record<string, string>>(body as string, { bom: true, columns: true });

describe('the export', () => {
  const download = async (query = '', key = setting.key) =>
    api.call('GET', `/api/v1/bulk-sms/${id}/messages/export${query}`, { key });

  test('is a CSV file of all recipients, in which no text is a formula and every number is itself', async () => {
    const answer = await download();
    expect(answer.headers.get('content-type')).toContain('text/csv');
    const rows = readCsv(answer);
    expect(rows.length).toBe(60);
    expect(rows[0]).toMatchObject({ position: '1', to: numberOf(1), status: 'delivered', text: 'Name1' });
    expect(rows[4]!['text']).toBe(`'=HYPERLINK("x")`);
    expect(rows[5]).toMatchObject({ status: 'failed', errorCode: 'recipient_opted_out' });
  });

  test('takes the filters of the list', async () => {
    const rows = readCsv(await download('?status=failed'));
    expect(rows.length).toBe(1);
    const found = readCsv(await download(`?search=${numberOf(7).slice(-4)}`));
    expect(found).toMatchObject([{ position: '7' }]);
  });

  test('is in the audit log with its filters by name, once somebody may download it', async () => {
    const events = () =>
      db.query(
        `select actor_kind, organization_id, details from audit_events
         where action = 'bulk_messages.exported' and subject_id = ? order by id`,
        [id],
      );
    const before = (await events()).length;
    await download(`?search=${numberOf(7).slice(-4)}`);
    const key = await (await createTenant(db.database)).createKey({ environment: 'test' });
    expect((await download('', key)).status).toBe(404);
    expect((await events()).slice(before)).toEqual([
      {
        actor_kind: 'api_key',
        organization_id: setting.organizationId,
        details: { filters: ['search'] },
      },
    ]);
  });

  test('asks for its own permission, which members do not have', async () => {
    const tenant = await createTenant(db.database);
    const key = await tenant.createKey({ permissions: ['bulk:read'], environment: 'test' });
    expect((await download('', key)).body).toMatchObject({ status: 403, code: 'permission_denied' });
  });

  test('of a batch with 30,000 recipients goes through pages without a gap', async () => {
    const large = await newSetting(0);
    await addContacts(db, large, 1, 30_000);
    const { id: largeId } = await makeBatch(api, large);
    await engine.advance(largeId);
    const rows = readCsv(
      await api.call('GET', `/api/v1/bulk-sms/${largeId}/messages/export`, { key: large.key }),
    );
    expect(rows.map(({ position }) => Number(position))).toEqual(numbersFrom(1, 30_000));
  }, 60_000);
});

describe('the stream of progress', () => {
  /** Reads a stream as it comes; `text` is what came so far. */
  async function open(batchId: string, as: { key?: string; session?: string }) {
    const abort = new AbortController();
    const response = await fetch(`${api.baseUrl}/api/v1/bulk-sms/${batchId}/events`, {
      signal: abort.signal,
      headers: {
        ...(as.key !== undefined && { 'X-API-Key': as.key }),
        ...(as.session !== undefined && { Authorization: `Bearer ${as.session}` }),
      },
    });
    const stream = { response, text: '', ended: false, close: () => abort.abort() };
    void (async () => {
      for await (const chunk of response.body!) stream.text += Buffer.from(chunk).toString('utf8');
      stream.ended = true;
    })().catch(() => undefined);
    return stream;
  }

  const events = (text: string) =>
    [...text.matchAll(/^event: progress\ndata: (.*)\n\n/gm)].map(
      ([, json]) => JSON.parse(json!) as { status: string; ledger: Record<string, number> },
    );

  test('tells of each change until the batch is final, and every event balances', async () => {
    const other = await newSetting(90);
    const { id: running } = await makeBatch(api, other);
    await api.call('PATCH', `/api/v1/bulk-sms/${running}/rate`, {
      key: other.key,
      json: { ratePerSecond: 30 },
    });
    const stream = await open(running, { key: other.key });
    expect(stream.response.headers.get('content-type')).toContain('text/event-stream');
    const work = engine.run(running);
    await until('the end of the stream', () => stream.ended, 15_000);
    await work;
    const seen = events(stream.text);
    expect(seen[0]).toMatchObject({ status: 'pending' });
    expect(seen.at(-1)).toMatchObject({ status: 'completed', ledger: { total: 90, queued: 0 } });
    expect(seen.filter(({ status }) => status === 'processing').length).toBeGreaterThanOrEqual(2);
    for (const { ledger } of seen) {
      const { total, ...statuses } = ledger;
      expect(Object.values(statuses).reduce((sum, one) => sum + one, 0)).toBe(total);
    }
  }, 30_000);

  test('of a final batch is one event', async () => {
    const stream = await open(id, { key: setting.key });
    await until('the end of the stream', () => stream.ended);
    expect(events(stream.text)).toMatchObject([{ status: 'completed' }]);
  });

  test('ends once its key is revoked or its session is over, and beats until then', async () => {
    const other = await newSetting(1);
    const person = await signUp(api);
    await db.query(
      `insert into members (id, organization_id, user_id, role, created_at) values (gen_random_uuid(), ?, ?, 'member', now())`,
      [other.organizationId, person.userId],
    );
    const { id: waiting } = await makeBatch(api, other, { scheduledAt: '2999-01-01T00:00:00Z' });
    const streams = [await open(waiting, { key: other.key }), await open(waiting, { session: person.token })];
    await until('the first beats', () => streams.every(({ text }) => text.includes(': still here')), 20_000);
    expect(streams.map(({ ended }) => ended)).toEqual([false, false]);
    await db.query('update api_keys set revoked_at = now() where organization_id = ?', [
      other.organizationId,
    ]);
    await db.query('delete from members where user_id = ?', [person.userId]);
    // Well before the next beat: rights are looked at each second.
    await until('the end of the streams', () => streams.every(({ ended }) => ended), 8_000);
    for (const { text } of streams) expect(events(text).length).toBe(1);
  }, 60_000);

  test('a batch of nobody, or of another organization, has none', async () => {
    const other = await newSetting(1);
    const { body } = await api.call('GET', `/api/v1/bulk-sms/${id}/events`, { key: other.key });
    expect(body).toMatchObject({ status: 404, code: 'not_found' });
  });
});

test('the failures of a batch are counted by code, and add up to the ledger', async () => {
  const { body } = await api.call('GET', `/api/v1/bulk-sms/${id}/failures`, { key: setting.key });
  const { ledger } = await readBatch(api, setting, id);
  expect(body).toEqual({
    failed: ledger.failed,
    errorCodes: [{ errorCode: 'recipient_opted_out', recipients: ledger.failed }],
  });
  expect(ledger.failed).toBe(1);
});

test('recipients that a failed batch has no message for are counted without a code', async () => {
  const other = await newSetting(3);
  const { id: batchId } = await makeBatch(api, other, { scheduledAt: '2999-01-01T00:00:00Z' });
  await db.query(
    `update bulk_batches set status = 'failed', failure = 'processing_failed', total = 3 where id = ?`,
    [batchId],
  );
  const { body } = await api.call('GET', `/api/v1/bulk-sms/${batchId}/failures`, { key: other.key });
  expect(body).toEqual({ failed: 3, errorCodes: [{ errorCode: null, recipients: 3 }] });
});
