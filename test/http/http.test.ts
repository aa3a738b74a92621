import { connect } from 'node:net';
import { parse } from 'yaml';
import { startTestApi, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { makeAdministrator, signUp, type Person } from '../helpers/people.ts';
import { createTenant, type Tenant } from '../helpers/tenants.ts';

let db: TestDatabase;
let api: TestApi;
let tenant: Tenant;
let key: string;
let administrator: Person;

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database });
  tenant = await createTenant(db.database);
  key = await tenant.createKey();
  administrator = await signUp(api);
  await makeAdministrator(db, administrator);
});

afterAll(async () => {
  await api.stop();
  await db.drop();
});

test('GET /health answers ok to anyone', async () => {
  const answer = await api.call('GET', '/health');
  expect({ status: answer.status, body: answer.body }).toEqual({ status: 200, body: { status: 'ok' } });
});

test.each(['/health', '/api/v1/messages'])('%s answers alike with a trailing slash', async (path) => {
  const [plain, slashed] = [await api.call('GET', path, { key }), await api.call('GET', `${path}/`, { key })];
  expect({ status: slashed.status, body: slashed.body }).toEqual({ status: 200, body: plain.body });
});

test.each(['/nothing', '/api/v1', '/api/v1/messages/a/b', '/api/v1/%E0%A4%A', '/__proto__'])(
  'the unknown path %s is a problem 404 with a request id',
  async (path) => {
    const answer = await api.call('GET', path, { key });
    expect({ status: answer.status, code: answer.body.code }).toEqual({ status: 404, code: 'not_found' });
    expect(answer.body.requestId).toBe(answer.headers.get('x-request-id'));
  },
);

test('an unknown method is a 405 that names the known ones', async () => {
  const answer = await api.call('PUT', '/api/v1/messages', { key, json: {} });
  expect({ status: answer.status, code: answer.body.code, allow: answer.headers.get('allow') }).toEqual({
    status: 405,
    code: 'method_not_allowed',
    allow: 'GET, POST, HEAD, OPTIONS',
  });
});

test.each([
  [{ startsAt: '9999-12-31T23:59:59-01:00' }, 'startsAt', /year in UTC is 0000 to 9999/],
  [{ startsAt: 'tomorrow' }, 'startsAt', /date-time of RFC 3339/],
])('a schedule with %j is told what the date-time must be', async (fields, name, said) => {
  const json = { to: '0911234567', text: 'x', scheduleType: 'once', ...fields };
  const { body } = await api.call('POST', '/api/v1/messages/schedule', { key, json });
  expect(body).toMatchObject({ status: 400, errors: [{ path: `/body/${name}`, code: 'wrong_format' }] });
  expect(body.errors[0].message).toMatch(said);
});

test('a value that is not the only one allowed is told which one is', async () => {
  const json = { to: '0911234567', channel: 'voice' };
  const { body } = await api.call('POST', '/api/v1/security-codes/send', { key, json });
  expect(body).toMatchObject({ status: 400, errors: [{ path: '/body/channel', code: 'not_allowed' }] });
  expect(body.errors[0].message).toMatch(/: sms$/);
});

test.each(['gzip', 'deflate', 'br'])('a plain body that says it is %s is told so', async (encoding) => {
  const { status, body } = await api.call('POST', '/api/v1/messages', {
    key,
    headers: { 'Content-Encoding': encoding },
    json: { to: '0911234567', text: 'x' },
  });
  expect({ status, ...body }).toMatchObject({ status: 400, code: 'malformed_body' });
  expect(body.detail).toContain('Content-Encoding');
});

test.each([
  ['/api/v1/messages?limit=0', 'limit', 'must be a whole number from 1 to 200'],
  ['/api/v1/campaigns?page=0', 'page', 'must be a whole number from 1, with at most 10 digits'],
  ['/api/v1/campaigns?pageSize=101', 'pageSize', 'must be a whole number from 1 to 100'],
])('%s is told what it must be in words', async (path, name, message) => {
  const { status, body } = await api.call('GET', path, { key });
  expect({ status, errors: body.errors }).toEqual({
    status: 400,
    errors: [{ path: `/query/${name}`, code: 'wrong_format', message }],
  });
});

test.each([
  ['search=%FF', '/query/search'],
  ['search=a&search=%c3', '/query/search'],
  ['search=x%ED%A0%80', '/query/search'],
  ['%FF=1', '/query'],
  ['search=%00', '/query/search'],
])('the query %s, which is no text, is refused', async (query, path) => {
  const { status, body } = await api.call('GET', `/api/v1/contacts?${query}`, { key });
  expect({ status, code: body.code, errors: body.errors }).toMatchObject({
    ...{ status: 400, code: 'invalid_request', errors: [{ path, code: 'invalid_characters' }] },
  });
});

test.each(['search=%E1%88%B5', 'search=100%', 'search=%zz', ''])(
  'the query %j is taken as it is written',
  async (query) => {
    expect((await api.call('GET', `/api/v1/contacts?${query}`, { key })).status).toBe(200);
  },
);

test('OPTIONS names the methods, HEAD answers as GET without a body', async () => {
  const options = await api.call('OPTIONS', '/health');
  expect({ status: options.status, allow: options.headers.get('allow') }).toEqual({
    status: 204,
    allow: 'GET, HEAD, OPTIONS',
  });
  const head = await api.call('HEAD', '/api/v1/messages', { key });
  expect({ status: head.status, body: head.body }).toEqual({ status: 200, body: '' });
  expect(Number(head.headers.get('content-length'))).toBeGreaterThan(0);
});

test('the catalogue explains every code, and the interface is served as written', async () => {
  const errors = await fetch(`${api.baseUrl}/errors`);
  expect(errors.status).toBe(200);
  expect(await errors.text()).toContain('/errors/invalid_recipient"');
  const contract = await api.call('GET', '/openapi.yaml');
  expect(contract.body).toContain('openapi: 3.1');
});

test('a reader of YAML 1.1 reads the served interface as one of YAML 1.2 does', async () => {
  const { body } = await api.call('GET', '/openapi.yaml');
  expect(parse(String(body), { version: '1.1' })).toEqual(parse(String(body)));
});

/** Sends bytes as they are and reads the answer until the connection ends. */
function sendRaw(bytes: string): Promise<string> {
  const { hostname, port } = new URL(api.baseUrl);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    let answer = '';
    socket.on('data', (chunk) => (answer += chunk.toString()));
    socket.on('end', () => resolve(answer));
    socket.on('error', reject);
  });
}

test.each([
  ['absolute form', 'GET http://sms.example.com/health HTTP/1.1'],
  ['a fragment', 'GET /health#part HTTP/1.1'],
])('a request target in %s is understood', async (_form, line) => {
  expect(await sendRaw(`${line}\r\nHost: x\r\nConnection: close\r\n\r\n`)).toContain('HTTP/1.1 200');
});

test.each([
  ['no HTTP at all', 'hello\r\n\r\n', 400, 'malformed_request'],
  ['an unknown method', 'get /health HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'malformed_request'],
  [
    'a header of 64 KiB',
    `GET /health HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(65536)}\r\n\r\n`,
    413,
    'payload_too_large',
  ],
  ['a request to no host', 'GET /health HTTP/1.1\r\n\r\n', 400, 'malformed_request'],
  [
    'an expectation nobody meets',
    'GET /health HTTP/1.1\r\nHost: x\r\nExpect: x\r\n\r\n',
    417,
    'expectation_failed',
  ],
])('%s is answered by a problem with an id', async (_name, bytes, status, code) => {
  const answer = await sendRaw(bytes);
  expect(answer).toContain(`HTTP/1.1 ${status}`);
  expect(answer).toMatch(/\r\nX-Request-Id: [0-9a-f-]{36}\r\n/);
  expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toMatchObject({ status, code });
});

test.each([
  ['HTTP/1.0 without a host', 'GET /health HTTP/1.0\r\n\r\n'],
  [
    'Expect: 100-continue',
    'GET /health HTTP/1.1\r\nHost: x\r\nExpect: 100-Continue\r\nConnection: close\r\n\r\n',
  ],
])('%s is as good as ever', async (_what, bytes) => {
  expect(await sendRaw(bytes)).toContain('HTTP/1.1 200 OK');
});

test.each(['null', '"x"', '5', 'true', '[]'])(
  'the JSON %s is well-formed, and of the wrong type for a body',
  async (body) => {
    for (const path of ['/api/v1/messages', '/api/v1/security-codes/send', '/api/auth/sign-in/email']) {
      const answer = await api.call('POST', path, { key, raw: { type: 'application/json', body } });
      expect(answer.body).toMatchObject({ status: 400, code: 'invalid_request' });
      expect(answer.body.errors).toEqual([
        { path: '/body', code: 'wrong_type', message: expect.stringContaining('must be object') },
      ]);
    }
  },
);

test.each([
  ['GET', '/api/auth/admin/get-user?id=', '/query/id', 'too_short', /^must have a value$/],
  ['GET', '/api/v1/messages?colour=red', '/query/colour', 'unknown_field', /colour/],
  ['GET', '/api/v1/messages/%zz', '/path', 'wrong_format', /^must be percent-encoded UTF-8/],
  ['GET', '/api/v1/messages/%ff/timeline', '/path', 'wrong_format', /^must be percent-encoded UTF-8/],
  ['PATCH', '/api/v1/message-schedules/%zz/status', '/path', 'wrong_format', /^must be percent-encoded/],
])('%s %s is told by place, code and our words', async (method, target, path, code, message) => {
  const json = method === 'PATCH' ? { action: 'pause' } : undefined;
  const caller = target.includes('/admin/') ? { session: administrator.token } : { key };
  const answer = await api.call(method, target, { ...caller, json });
  expect(answer.body).toMatchObject({ status: 400, code: 'invalid_request' });
  expect(answer.body.errors).toEqual([{ path, code, message: expect.stringMatching(message) }]);
});

test.each(['GET', 'HEAD'])('%s / leads a browser to the documentation', async (method) => {
  const { status, headers } = await api.call(method, '/', {
    headers: { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' },
  });
  expect({ status, location: headers.get('location'), vary: headers.get('vary') }).toEqual({
    ...{ status: 302, location: '/console/', vary: 'Accept' },
  });
});

test.each(['*/*', 'application/json'])(
  '/ is an unknown path for a program that accepts %s',
  async (Accept) => {
    const answer = await api.call('GET', '/', { headers: { Accept } });
    expect([answer.status, answer.body.code]).toEqual([404, 'not_found']);
  },
);

test.each([
  ['/api/v1/campaigns', '999999999', 200],
  ['/api/v1/campaigns', '9999999999', 200],
  ['/api/v1/campaigns', '99999999999999999999', 400],
  ['/api/v1/bulk-sms/ID/messages', '999999999', 200],
  ['/api/v1/bulk-sms/ID/messages', '9999999999', 200],
  ['/api/v1/bulk-sms/ID/messages', '99999999999999999999', 400],
  ['/api/v1/bulk-sms/ID/messages', '999999999&status=queued', 200],
])('%s?page=%s is answered %i, with no records', async (path, page, status) => {
  const target = path.replace('ID', await batch());
  const answer = await api.call('GET', `${target}?page=${page}&pageSize=100`, { key });
  expect({ status: answer.status, data: answer.body.data }).toEqual({
    status,
    data: status === 200 ? [] : undefined,
  });
});

async function batch(): Promise<string> {
  const post = async (path: string, json: object) =>
    (await api.call('POST', path, { key, json: { organizationId: tenant.organizationId, ...json } })).body
      .id as string;
  return post('/api/v1/bulk-sms', {
    campaignId: await post('/api/v1/campaigns', { name: 'x' }),
    contactListId: await phonebook(),
    text: 'x',
    scheduledAt: '2999-01-01T00:00:00Z',
  });

  async function phonebook(): Promise<string> {
    const [listId, contactId] = [
      await post('/api/v1/contact-lists', { name: 'x' }),
      await post('/api/v1/contacts', { phoneNumber: `+2519${String((contacts += 1)).padStart(8, '0')}` }),
    ];
    const json = { organizationId: tenant.organizationId, contactIds: [contactId] };
    await api.call('PUT', `/api/v1/contact-lists/${listId}/members`, { key, json });
    return listId;
  }
}
let contacts = 0;
