import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { startTestApi, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { createTenant } from '../helpers/tenants.ts';

let db: TestDatabase;
let api: TestApi;
let key: string;

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database });
  key = await (await createTenant(db.database)).createKey();
});

afterAll(async () => {
  await api.stop();
  await db.drop();
});

/** Sends a body in chunks, without telling its length, until it is answered. */
function sendChunked(
  contentType: string,
  chunks: Iterable<string>,
): Promise<{ status: number; code: string; detail: string }> {
  return new Promise((resolve, reject) => {
    const headers = { 'X-API-Key': key, 'Content-Type': contentType };
    const sending = request(`${api.baseUrl}/api/v1/messages`, { method: 'POST', headers }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => {
        sending.destroy();
        const { code, detail } = JSON.parse(text) as { code: string; detail: string };
        resolve({ status: response.statusCode!, code, detail });
      });
    });
    sending.on('error', (error) => (sending.destroyed ? undefined : reject(error)));
    for (const chunk of chunks) sending.write(chunk);
    sending.end();
  });
}

function* manyFields(): Iterable<string> {
  for (let index = 0; index < 40; index += 1) {
    yield `--b\r\nContent-Disposition: form-data; name="f${index}"\r\n\r\n${'x'.repeat(64 * 1024)}\r\n`;
  }
  yield '--b--\r\n';
}

test.each([
  ['multipart/form-data; boundary=b', manyFields],
  ['application/json', () => ['{"text":"', ...Array.from({ length: 40 }, () => 'x'.repeat(64 * 1024)), '"}']],
  [
    'application/x-www-form-urlencoded',
    () => Array.from({ length: 40 }, () => `a=${'x'.repeat(64 * 1024)}&`),
  ],
])('a %s body that does not tell its length is held to the limit all the same', async (type, chunks) => {
  expect(await sendChunked(type, chunks())).toEqual({
    ...{ status: 413, code: 'payload_too_large', detail: 'The body must not exceed 1048576 bytes.' },
  });
});

test.each([
  ['repeated names', (index: number) => `contactIds=${index}`, 422],
  ['names with []', (index: number) => `contactIds[]=${index}`, 422],
  ['nested names', (index: number) => `x[y][]=${index}`, 400],
  ['numbered names', (index: number) => `contactIds[${index}]=${index}`, 400],
])(
  'a form of 100,000 fields with %s is read in time that grows with its length only',
  async (...[, field, status]) => {
    const { organizationId, createKey } = await createTenant(db.database);
    const options = { key: await createKey() };
    const list = await api.call('POST', '/api/v1/contact-lists', {
      ...options,
      json: { organizationId, name: 'x' },
    });
    const fields = Array.from({ length: 99_999 }, (_none, index) => field(index)).join('&');
    const startedAt = performance.now();
    const answer = await api.call('PUT', `/api/v1/contact-lists/${list.body.id}/members`, {
      ...options,
      raw: { type: 'application/x-www-form-urlencoded', body: `organizationId=${organizationId}&${fields}` },
    });
    expect(answer.status).toBe(status);
    // It was a minute and more.
    expect(performance.now() - startedAt).toBeLessThan(15_000);
  },
);

test.each([
  ['__proto__[text]', 'one'],
  ['__proto__', 'one'],
  ['webhook[__proto__][url]', 'http://127.0.0.1:9/'],
  ['metadata[__proto__][a]', 'one'],
])('no field of a form is called %s', async (name, value) => {
  const fields = { to: '0911234567', text: 'Selam', [name]: value };
  for (const body of [{ form: fields }, { multipart: fields }]) {
    const answer = await api.call('POST', '/api/v1/messages', { key, ...body });
    expect({ status: answer.status, code: answer.body.code }).toEqual({
      status: 400,
      code: 'invalid_request',
    });
  }
});

test.each(['', '""', '"a', 'a"b', ' ', '=', 'é'])(
  'a form with the boundary %j is malformed',
  async (boundary) => {
    const type = `multipart/form-data; boundary=${Buffer.from(boundary).toString('latin1')}`;
    const answer = await api.call('POST', '/api/auth/sign-in/email', { raw: { type, body: '--\r\n' } });
    expect({ status: answer.status, code: answer.body.code }).toEqual({
      status: 400,
      code: 'malformed_body',
    });
  },
);

test('an optional body that is not sent may have any Content-Type', async () => {
  const path = `/api/v1/webhook-deliveries/${randomUUID()}/redrive`;
  const answer = await api.call('POST', path, { key, headers: { 'Content-Type': 'text/plain' } });
  expect({ status: answer.status, code: answer.body.code }).toEqual({ status: 404, code: 'not_found' });
});
