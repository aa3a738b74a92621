import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { openDatabase } from '../../src/open-database.ts';
import { startTestApi, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { password, problemOf, signUp } from '../helpers/people.ts';
import { startTcpProxy } from '../helpers/tcp-proxy.ts';

let db: TestDatabase;
let api: TestApi;
const logged: string[] = [];

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database, log: (line) => logged.push(line) });
});
afterAll(async () => {
  await api.stop();
  await db.drop();
});

test.each([
  ['GET', '/api/auth', 404, 'not_found'],
  ['GET', '/api/auth/nothing', 404, 'not_found'],
  ['GET', '/api/auth/ok', 404, 'not_found'],
  ['GET', '/api/auth/error', 404, 'not_found'],
  ['POST', '/api/auth/get-access-token', 404, 'not_found'],
  ['POST', '/api/auth/organization/delete', 404, 'not_found'],
  ['POST', '/api/auth/admin/remove-user', 404, 'not_found'],
  ['GET', '/api/auth//get-session', 404, 'not_found'],
  ['GET', '/api/auth/sign-in/email', 405, 'method_not_allowed'],
  ['DELETE', '/api/auth/get-session', 405, 'method_not_allowed'],
])('%s %s is a problem %i %s', async (method, path, status, code) => {
  const answer = await api.call(method, path);
  expect(problemOf(answer)).toEqual({ status, code });
  expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  expect(answer.body.requestId).toBe(answer.headers.get('x-request-id'));
});

test('OPTIONS names the methods, HEAD answers as GET without a body, and a trailing slash changes nothing', async () => {
  const options = await api.call('OPTIONS', '/api/auth/sign-in/email');
  expect([options.status, options.headers.get('allow')]).toEqual([204, 'POST, OPTIONS']);
  const head = await api.call('HEAD', '/api/auth/get-session');
  expect([head.status, head.body]).toEqual([200, '']);
  const person = await signUp(api);
  expect((await person.get('/list-accounts/')).body).toEqual((await person.get('/list-accounts')).body);
});

const json = 'application/json';
test.each<[what: string, type: string | undefined, body: string | Buffer, status: number, code: string]>([
  ['broken JSON', json, '{"email":', 400, 'malformed_body'],
  ['JSON that is no object', json, '[1]', 400, 'invalid_request'],
  ['JSON null', json, 'null', 400, 'invalid_request'],
  ['a body over 1 MiB', json, `{"email":"${'a'.repeat(1024 * 1024)}"}`, 413, 'payload_too_large'],
  ['a body in XML', 'application/xml', '<a/>', 415, 'unsupported_media_type'],
  ['bytes as multipart', 'multipart/form-data; boundary=x', Buffer.from([0, 1, 2]), 400, 'malformed_body'],
  ['a NUL', json, JSON.stringify({ email: 'a@example.com', password: 'a\0b' }), 400, 'invalid_request'],
  [
    'half a surrogate pair',
    json,
    String.raw`{"email":"a@example.com","password":"\ud800"}`,
    400,
    'invalid_request',
  ],
  [
    'an e-mail address that is an object',
    json,
    '{"email":{"$ne":null},"password":"x"}',
    400,
    'invalid_request',
  ],
  [
    'a form field that is an object',
    'application/x-www-form-urlencoded',
    'email[a]=b&password=x',
    400,
    'invalid_request',
  ],
  ['no e-mail address', json, '{"password":"x"}', 400, 'invalid_request'],
  [
    'a password of 1 MB less',
    json,
    JSON.stringify({ email: 'a@example.com', password: 'x'.repeat(900_000) }),
    400,
    'invalid_request',
  ],
  ['a prototype', json, '{"__proto__":{"email":"a@example.com"},"password":"x"}', 400, 'invalid_request'],
])('%s is refused as a problem', async (_what, type, body, status, code) => {
  const answer = await api.call('POST', '/api/auth/sign-in/email', { raw: { type, body } });
  expect(problemOf(answer)).toEqual({ status, code });
});

test('a request without a body, and one to an endpoint that takes none, are answered', async () => {
  expect(problemOf(await api.call('POST', '/api/auth/sign-in/email'))).toEqual({
    status: 400,
    code: 'invalid_request',
  });
  const person = await signUp(api);
  expect((await person.post('/sign-out', {})).body).toEqual({ success: true });
});

test.each(['no-uuid', '019aa3c1-7d7b-7c9e-9d55-0c6a52f5b3aa', "' or 1=1 --"])(
  'an id that is none, %s, is a 404',
  async (id) => {
    const person = await signUp(api);
    for (const [path, body] of [
      ['/organization/set-active', { organizationId: id }],
      ['/organization/accept-invitation', { invitationId: id }],
    ] as const) {
      expect({ path, ...problemOf(await person.post(path, body)) }).toMatchObject({
        path,
        status: 404,
        code: 'not_found',
      });
    }
  },
);

test('a Host header that is none does no harm', async () => {
  const { port } = new URL(api.baseUrl);
  const status = await new Promise((resolve, reject) => {
    const sent = request({
      host: '127.0.0.1',
      port,
      path: '/api/auth/get-session',
      headers: { Host: 'a b@:x' },
    });
    sent.on('response', (response) => resolve(response.statusCode));
    sent.on('error', reject);
    sent.end();
  });
  expect(status).toBe(200);
});

test('while the database cannot be reached everything is a 503, and no session is taken for none', async () => {
  const { email, token } = await signUp(api);
  const proxy = await startTcpProxy(db.url);
  const database = await openDatabase({ url: proxy.url, poolSize: 5 });
  const otherApi = await startTestApi({ database });
  const calls = async () => [
    await otherApi.call('GET', '/api/auth/list-accounts', { session: token }),
    await otherApi.call('GET', '/api/auth/get-session', { session: token }),
    await otherApi.call('POST', '/api/auth/sign-in/email', { json: { email, password } }),
    await otherApi.call('POST', '/api/auth/request-password-reset', { json: { email } }),
    await otherApi.call('POST', '/api/auth/sign-up/email', {
      json: { name: 'A', email: `${randomUUID()}@example.com`, password },
    }),
  ];
  await proxy.cut();
  const unavailable = { status: 503, code: 'unavailable' };
  expect((await calls()).map(problemOf)).toEqual(Array(5).fill(unavailable));
  await proxy.restore();
  expect((await calls()).map(({ status }) => status)).toEqual(Array(5).fill(200));
  await otherApi.stop();
  await database.close();
  await proxy.stop();
});

test('no password, token or address is in the log', async () => {
  const email = 'planted.address@example.com';
  const secret = 'planted password 4711';
  const { body } = await api.call('POST', '/api/auth/sign-up/email', {
    json: { name: 'Planted Name', email, password: secret },
  });
  await api.call('POST', '/api/auth/sign-in/email', { json: { email, password: `${secret}x` } });
  await api.call('POST', '/api/auth/request-password-reset', {
    json: { email, redirectTo: 'https://planted.example' },
  });
  await api.call('POST', '/api/auth/request-password-reset', { json: { email } });
  await api.call('POST', '/api/auth/update-user', {
    session: body.token as string,
    json: { name: 'X' },
    headers: { Origin: 'https://planted.example' },
  });
  const text = logged.join('\n');
  expect(text.length).toBeGreaterThan(1000);
  for (const planted of [email, secret, 'Planted Name', 'planted.example', body.token as string]) {
    expect(text).not.toContain(planted);
  }
});

test('what a visitor gets wrong is no failure in the log, and the catalogue explains where he ends', async () => {
  const social = (fields: object) => api.call('POST', '/api/auth/sign-in/social', { json: fields });
  const from = logged.length;
  const refused = [
    await social({ provider: 'nobody' }),
    await social({ provider: 'google', callbackURL: 'https://elsewhere.example/' }),
    await api.call('GET', '/api/auth/reset-password/x?callbackURL=https%3A%2F%2Felsewhere.example'),
    await api.call('POST', '/api/auth/sign-in/email', {
      json: { email: 'nobody@example.com', password },
      headers: { Origin: 'https://elsewhere.example', Cookie: 'a=b' },
    }),
  ];
  expect(refused.map(({ body }) => body.code)).toEqual([
    'provider_not_found',
    'invalid_callback_url',
    'invalid_callback_url',
    'invalid_origin',
  ]);
  const catalogue = await (await fetch(`${api.baseUrl}/errors`)).text();
  for (const [query, error] of [
    ['', 'state_not_found'],
    ['?state=x&code=y', 'state_mismatch'],
  ]) {
    const { status, headers } = await api.call('GET', `/api/auth/callback/google${query}`);
    expect([status, headers.get('location')]).toEqual([302, `${api.baseUrl}/errors?error=${error}`]);
    expect(catalogue).toContain(`id="${error}"`);
  }
  const lines = logged.slice(from).map((line) => JSON.parse(line) as { level: number; msg: string });
  expect(lines.filter(({ msg }) => msg.startsWith('better-auth')).length).toBeGreaterThan(3);
  expect(lines.filter(({ level }) => level > 30)).toEqual([]);
});
