import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { maxUploads, maxUploadsOfOne } from '../../src/http/requests/uploads.ts';
import { startTestApi, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { createTenant, type Tenant } from '../helpers/tenants.ts';
import { until } from '../helpers/until.ts';

let db: TestDatabase;
let api: TestApi;
let tenant: Tenant;
let key: string;
const logged: string[] = [];

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database, log: (line) => void logged.push(line) });
  tenant = await createTenant(db.database);
  key = await tenant.createKey();
});
afterAll(async () => {
  await api.stop();
  await db.drop();
});

const path = '/api/v1/contacts/import';

/** Begins an upload that sends its end only when told to. */
function beginUpload(from = { key, organizationId: tenant.organizationId }, to = api): ClientRequest {
  const sending = httpRequest(`${to.baseUrl}${path}`, {
    method: 'POST',
    agent: false,
    headers: { 'X-API-Key': from.key, 'Content-Type': 'multipart/form-data; boundary=b' },
  });
  sending.on('error', () => undefined);
  sending.write(
    `--b\r\nContent-Disposition: form-data; name="organizationId"\r\n\r\n${from.organizationId}\r\n`,
  );
  sending.write('--b\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nphone\n');
  return sending;
}

/** Keeps a place: an upload that came while another had it is begun again. */
function keepPlace(from: { key: string; organizationId: string }): { sending: ClientRequest } {
  const place = { sending: beginUpload(from) };
  const beginAgain = (response: IncomingMessage): void => {
    response.resume();
    place.sending = beginUpload(from).once('response', beginAgain);
  };
  place.sending.once('response', beginAgain);
  return place;
}

async function answerOf(sending: ClientRequest): Promise<{ status: number; headers: object; body: string }> {
  const [response] = (await once(sending, 'response')) as [IncomingMessage];
  let body = '';
  for await (const chunk of response) body += String(chunk);
  return { status: response.statusCode!, headers: response.headers, body };
}

const upload = async (): Promise<number> => {
  const form = new FormData();
  form.append('organizationId', tenant.organizationId);
  form.append('file', new Blob(['phone\n0911234567\n']), 'a.csv');
  const response = await fetch(`${api.baseUrl}${path}`, {
    method: 'POST',
    headers: { 'X-API-Key': key },
    body: form,
  });
  await response.text();
  return response.status;
};

const files = async (): Promise<string[]> =>
  (await readdir(tmpdir())).filter((name) => /^sms-upload-|^[0-9a-f]{32}$/.test(name));

test('uploads that are under way have no name on the disk, and of too many the next is to wait', async () => {
  const before = new Set(await files());
  const others = await Promise.all(
    Array.from({ length: maxUploads / maxUploadsOfOne - 1 }, async () => {
      const { organizationId, createKey } = await createTenant(db.database);
      return { organizationId, key: await createKey() };
    }),
  );
  const tenants = [{ organizationId: tenant.organizationId, key }, ...others];
  const open = tenants.flatMap((one) => Array.from({ length: maxUploadsOfOne }, () => keepPlace(one)));
  const { organizationId, createKey } = await createTenant(db.database);
  const last = { organizationId, key: await createKey() };
  const refused = await until('all of them to be under way', async () => {
    const next = beginUpload(last);
    next.end('0911234567\n\r\n--b--\r\n');
    const answer = await answerOf(next);
    return answer.status === 503 ? answer : undefined;
  });
  expect(JSON.parse(refused.body)).toMatchObject({ status: 503, code: 'unavailable' });
  expect(refused.headers).toMatchObject({ 'retry-after': '5' });
  await until('their files to have no name', async () => (await files()).every((name) => before.has(name)));
  for (const { sending } of open.slice(1)) sending.destroy();
  const { sending: first } = open[0]!;
  first.removeAllListeners('response').end('0911234567\n\r\n--b--\r\n');
  expect((await answerOf(first)).status).toBe(200);
  await until('the places to be free', async () => (await upload()) === 200);
});

test('of the places for uploads one organization has a quarter, by however many keys, and another the rest', async () => {
  const { organizationId } = tenant;
  const keys = [key, await tenant.createKey()];
  const open = Array.from({ length: maxUploadsOfOne }, (_, index) =>
    keepPlace({ organizationId, key: keys[index % 2]! }),
  );
  const refused = await until('a quarter of the places to be taken', async () => {
    const next = beginUpload({ organizationId, key: keys[1]! });
    next.end('0911234567\n\r\n--b--\r\n');
    const answer = await answerOf(next);
    return answer.status === 429 ? answer : undefined;
  });
  expect(JSON.parse(refused.body)).toMatchObject({ status: 429, code: 'rate_limited' });
  expect(refused.headers).toMatchObject({ 'retry-after': '5' });
  const neighbour = await createTenant(db.database);
  const other = beginUpload({ organizationId: neighbour.organizationId, key: await neighbour.createKey() });
  other.end('0911234567\n\r\n--b--\r\n');
  expect((await answerOf(other)).status).toBe(200);
  for (const { sending } of open) sending.destroy();
  await until('the places to be free', async () => (await upload()) === 200);
});

test('an upload of which no byte comes any more is broken off, and leaves its place', async () => {
  const impatient = await startTestApi({ database: db.database, uploadStallMs: 100 });
  try {
    const from = { key, organizationId: tenant.organizationId };
    const stalled = Array.from({ length: maxUploadsOfOne }, () => beginUpload(from, impatient));
    await Promise.all(stalled.map((sending) => new Promise((resolve) => sending.once('close', resolve))));
    const status = await until('a place to be free', async () => {
      const next = beginUpload(from, impatient);
      next.end('0911234567\n\r\n--b--\r\n');
      const answer = await answerOf(next);
      return answer.status === 429 ? undefined : answer.status;
    });
    expect(status).toBe(200);
  } finally {
    await impatient.stop();
  }
});

test('an upload that breaks off is no error of the service', async () => {
  logged.length = 0;
  const sending = beginUpload();
  await once(sending, 'socket');
  sending.flushHeaders();
  sending.write('0911234567\n'.repeat(10_000), () => sending.destroy());
  await until('the end of the request to be logged', () =>
    logged.find((line) => line.includes('request answered') || line.includes('request failed')),
  );
  expect(logged.filter((line) => line.includes('stack') || /"level":(50|60)/.test(line))).toEqual([]);
});

const blob = (text: string | Uint8Array<ArrayBuffer>, type = 'application/json') =>
  new Blob([text], { type });

test.each<[string, [string, Blob][], object]>([
  ['an object of its own', [['metadata', blob('{"a":1}')]], { metadata: { a: 1 } }],
  ['a text', [['text', blob('ሰላም', 'text/plain')]], { text: 'ሰላም' }],
  ['an object with fields', [['webhook', blob('{"url":"https://example.com/"}')]], { status: 'queued' }],
])('a part sent as a file is the field it is called: %s', async (_what, parts, expected) => {
  const form = new FormData();
  form.append('to', '0911234567');
  if (!parts.some(([name]) => name === 'text')) form.append('text', 'x');
  for (const [name, value] of parts) form.append(name, value, 'blob');
  expect(await post('/api/v1/messages', form)).toMatchObject({ status: 202, body: expected });
});

test('items of a list may be sent as files', async () => {
  const form = new FormData();
  form.append('organizationId', tenant.organizationId);
  form.append('phoneNumber', '0911999999');
  for (const tag of ['a', 'b']) form.append('tags[]', blob(tag, 'text/plain'), 'blob');
  expect(await post('/api/v1/contacts', form)).toMatchObject({ status: 201, body: { tags: ['a', 'b'] } });
});

test.each<[string, string, Blob, number, string]>([
  ['a field that there is not', 'photo', blob('x'), 400, 'invalid_request'],
  ['a text longer than its field', 'text', blob('x'.repeat(1601)), 400, 'invalid_request'],
  ['more than a body may have', 'text', blob('x'.repeat(1024 * 1024)), 413, 'payload_too_large'],
  ['bytes that are no UTF-8', 'text', blob(new Uint8Array([0xff, 0xfe])), 400, 'malformed_body'],
])('a part sent as a file that is %s is refused', async (_what, name, value, status, code) => {
  const form = new FormData();
  form.append('to', '0911234567');
  form.append(name, value, 'blob');
  expect(await post('/api/v1/messages', form)).toMatchObject({ status, body: { code } });
});

const importForm = (fields: [name: string, value: string][]): FormData => {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  form.append('file', new Blob(['phone\n0911234567\n']), 'a.csv');
  return form;
};

test.each<[string, string, FormData, string]>([
  [
    'as many fields beside its file',
    path,
    importForm(Array.from({ length: 21 }, (_, index) => [`field${index}`, 'x'])),
    'The form must not have more than 20 fields.',
  ],
  [
    'as long a name of a field',
    path,
    importForm([['x'.repeat(2001), 'x']]),
    'The name of a field must not exceed 2000 bytes.',
  ],
  [
    'as large a field beside its file',
    path,
    importForm([['organizationId', 'x'.repeat(1024 * 1024 + 1)]]),
    'A field of the form must not exceed 1048576 bytes.',
  ],
])('what is refused for %s is told the limit', async (_what, target, form, detail) => {
  expect(await post(target, form)).toMatchObject({
    status: 413,
    body: { code: 'payload_too_large', detail },
  });
});

async function post(target: string, body: FormData): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${api.baseUrl}${target}`, {
    method: 'POST',
    headers: { 'X-API-Key': key },
    body,
  });
  return { status: response.status, body: await response.json() };
}
