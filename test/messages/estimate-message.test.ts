import { startTestApi, type CallOptions, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { createTenant, type Tenant } from '../helpers/tenants.ts';

let db: TestDatabase;
let api: TestApi;
let tenant: Tenant;
let live: string;
let testKey: string;

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database, webhookAllowedHosts: [] });
  tenant = await createTenant(db.database);
  live = await tenant.createKey();
  testKey = await tenant.createKey({ environment: 'test' });
});

afterAll(async () => {
  await api.stop();
  await db.drop();
});

const estimate = (options: CallOptions) =>
  api.call('POST', '/api/v1/messages/estimate', { key: live, ...options });

const message = { to: '0911234567', text: 'Selam' };

test('a text in GSM-7 is told with its recipient, sender and what its one segment holds', async () => {
  const { status, body } = await estimate({ json: { to: '911234567', text: 'Price: 5 €' } });
  expect(status).toBe(200);
  expect(body).toEqual({
    to: '+251911234567',
    from: tenant.sender,
    environment: 'live',
    encoding: 'gsm7',
    segments: 1,
    codePoints: 10,
    units: 11,
    unitsPerSegment: 160,
    parts: [{ text: 'Price: 5 €', units: 11, freeUnits: 149 }],
    charactersForcingUnicode: [],
    wouldBeRefused: null,
  });
});

test('a text in Unicode is told with what forces it, and where each segment ends', async () => {
  const text = `${'a'.repeat(66)}😀ሰ😀`;
  const { body } = await estimate({ json: { ...message, text } });
  expect(body).toMatchObject({
    encoding: 'ucs2',
    segments: 2,
    codePoints: 69,
    units: 71,
    unitsPerSegment: 67,
    parts: [
      { text: 'a'.repeat(66), units: 66, freeUnits: 1 },
      { text: '😀ሰ😀', units: 5, freeUnits: 62 },
    ],
    charactersForcingUnicode: [
      { character: '😀', codePoint: 'U+1F600', positions: [66, 68] },
      { character: 'ሰ', codePoint: 'U+1230', positions: [67] },
    ],
  });
});

test('the three encodings get the same answer', async () => {
  const fields = { to: '+251911234567', text: 'ሰላም', from: tenant.sender };
  const url = 'https://example.com/hook';
  const answers = await Promise.all([
    estimate({ json: { ...fields, webhook: { url } } }),
    estimate({ form: { ...fields, 'webhook[url]': url } }),
    estimate({ multipart: { ...fields, webhook: JSON.stringify({ url }) } }),
  ]);
  for (const { status, body } of answers) {
    expect(status).toBe(200);
    expect(body).toEqual(answers[0].body);
  }
  expect(answers[0].body).toMatchObject({ to: fields.to, segments: 1, wouldBeRefused: null });
});

test('the body of a message is taken as it is: its metadata change nothing', async () => {
  const body = {
    ...message,
    metadata: { orderId: 'o-17', lines: [1, 2] },
    webhook: { url: 'https://example.com/' },
  };
  const { metadata: _metadata, ...without } = body;
  const answers = await Promise.all([
    estimate({ json: body }),
    estimate({ form: { ...message, 'metadata[orderId]': 'o-17', 'webhook[url]': body.webhook.url } }),
    estimate({
      multipart: { ...message, metadata: '{"orderId":"o-17"}', webhook: JSON.stringify(body.webhook) },
    }),
  ]);
  const expected = await estimate({ json: without });
  for (const { status, body: told } of answers) {
    expect({ status, told }).toEqual({ status: 200, told: expected.body });
  }
  expect((await api.call('POST', '/api/v1/messages', { key: live, json: body })).status).toBe(202);
});

const refusals: [string, Record<string, unknown>, string][] = [
  ['a recipient that is no number', { to: '0911234x67' }, 'invalid_recipient'],
  ['a recipient of no country', { to: '+9991234567' }, 'invalid_recipient'],
  ['a sender that is not approved', { from: 'NOBODY' }, 'sender_not_approved'],
  ['the sender of test keys', { from: 'TEST' }, 'sender_not_approved'],
  ['a webhook to a private address', { webhook: { url: 'http://127.0.0.1/' } }, 'webhook_url_not_allowed'],
  ['a recipient and a sender', { to: '0911234x67', from: 'NOBODY' }, 'invalid_recipient'],
];

test.each(refusals)('%s is told to be refused exactly as it would be', async (_name, fields, code) => {
  const json = { ...message, ...fields };
  const { status, body } = await estimate({ json });
  const refused = await api.call('POST', '/api/v1/messages', { key: live, json });
  expect({ status, refusal: body.wouldBeRefused }).toEqual({
    status: 200,
    refusal: { code, message: refused.body.detail },
  });
  expect(refused.body).toMatchObject({ status: 422, code });
  expect(body.segments).toBe(1);
});

test('an organization without a default sender is told that it needs one', async () => {
  const key = await (await createTenant(db.database, { sender: null })).createKey();
  const { body } = await estimate({ key, json: message });
  expect(body).toMatchObject({ from: null, wouldBeRefused: { code: 'sender_required' } });
});

test('a test key may send from TEST', async () => {
  const { body } = await estimate({ key: testKey, json: { ...message, from: 'TEST' } });
  expect(body).toMatchObject({ from: 'TEST', environment: 'test', wouldBeRefused: null });
});

test('another organization’s sender is not approved for this one', async () => {
  await createTenant(db.database, { sender: 'THEIRS' });
  const { body } = await estimate({ json: { ...message, from: 'THEIRS' } });
  expect(body).toMatchObject({ from: null, wouldBeRefused: { code: 'sender_not_approved' } });
});

test.each<[string, CallOptions, string]>([
  ['no text', { json: { to: '0911234567' } }, 'invalid_request'],
  ['an empty text', { json: { ...message, text: '' } }, 'invalid_request'],
  ['1,601 characters', { json: { ...message, text: '😀'.repeat(1601) } }, 'invalid_request'],
  ['a recipient of 7 characters', { json: { ...message, to: '0911234' } }, 'invalid_request'],
  ['a number as text', { json: { ...message, text: 5 } }, 'invalid_request'],
  ['metadata that is a list', { json: { ...message, metadata: [] } }, 'invalid_request'],
  ['a webhook without URL', { json: { ...message, webhook: {} } }, 'invalid_request'],
  ['half a surrogate pair', { json: { ...message, text: '\ud83d' } }, 'invalid_request'],
  ['broken JSON', { raw: { type: 'application/json', body: '{' } }, 'malformed_body'],
])('%s is a malformed body, not an estimate', async (_name, options, code) => {
  const { status, body } = await estimate(options);
  expect({ status, code: body.code }).toEqual({ status: 400, code });
});

test('nothing is stored, whatever is estimated, and an Idempotency-Key has no effect', async () => {
  const before = await everything();
  expect(before).toContain(tenant.organizationId);
  const headers = { 'Idempotency-Key': 'the same' };
  for (const [, fields] of refusals) await estimate({ headers, json: { ...message, ...fields } });
  const first = await estimate({ headers, json: message });
  const other = await estimate({ headers, json: { ...message, text: 'ሰላም' } });
  expect([first.body.encoding, other.body.encoding]).toEqual(['gsm7', 'ucs2']);
  expect(other.headers.get('idempotency-replayed')).toBeNull();
  expect(await everything()).toBe(before);
});

/** All rows of all tables, but for what every request leaves: counts of requests, the time a key was used. */
async function everything(): Promise<string> {
  const tables = await db.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
       and relname <> 'rate_limit_counters' order by relname`,
  );
  const parts = [];
  for (const { name } of tables) {
    parts.push(
      await db.query(`select (to_jsonb(r) - 'last_used_at')::text as row from "${name}" r order by row`),
    );
  }
  return JSON.stringify(parts);
}
