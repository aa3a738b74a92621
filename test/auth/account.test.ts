import { hashSessionToken } from '../../src/auth/sessions/session-token.ts';
import { startTestApi, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { linkMailed, password, problemOf, signIn, signUp } from '../helpers/people.ts';

const uuidv7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

let db: TestDatabase;
let api: TestApi;
let now: Date;

beforeAll(async () => {
  db = await createTestDatabase();
  now = new Date();
  api = await startTestApi({ database: db.database, now: () => now });
});
beforeEach(() => {
  now = new Date();
});
afterAll(async () => {
  await api.stop();
  await db.drop();
});

test('signing up makes a user and a session, in the shapes of the specification', async () => {
  const json = { name: 'Abebe', email: 'Abebe@Example.com', password };
  const { status, body, headers } = await api.call('POST', '/api/auth/sign-up/email', { json });
  expect(status).toBe(200);
  expect(Object.keys(body.user).toSorted()).toEqual(
    ['banned', 'createdAt', 'email', 'emailVerified', 'id', 'name', 'role', 'updatedAt'].toSorted(),
  );
  expect(body.user).toMatchObject({
    name: 'Abebe',
    email: 'abebe@example.com',
    emailVerified: false,
    role: 'user',
  });
  expect(body.user.id).toMatch(uuidv7);
  expect(body.user.createdAt).toMatch(iso);
  expect(headers.get('x-request-id')).toMatch(uuidv7);
  expect(headers.get('cache-control')).toBe('no-store');

  const session = await api.call('GET', '/api/auth/get-session', { session: body.token as string });
  expect(session.body.user).toEqual(body.user);
  expect(session.body.session).toMatchObject({ userId: body.user.id, token: body.token });
  for (const name of ['createdAt', 'updatedAt', 'expiresAt']) expect(session.body.session[name]).toMatch(iso);
  expect(session.body.session.ipAddress).toMatch(/127\.0\.0\.1$/);
});

test.each(['json', 'form', 'multipart'] as const)('people sign up and in by %s', async (encoding) => {
  const email = `${encoding}@example.com`;
  const up = await api.call('POST', '/api/auth/sign-up/email', {
    [encoding]: { name: 'A', email, password },
  });
  expect(up.status).toBe(200);
  const signedIn = await api.call('POST', '/api/auth/sign-in/email', {
    [encoding]: { email, password, rememberMe: encoding === 'json' ? true : 'true' },
  });
  expect(signedIn.body.user.id).toBe(up.body.user.id);
});

test.each(['role', 'banned', 'emailVerified', 'id', 'createdAt'])(
  'nobody gives himself %s by signing up',
  async (field) => {
    const values: Record<string, unknown> = {
      role: 'admin',
      banned: false,
      emailVerified: true,
      id: 'x',
      createdAt: 'x',
    };
    const json = { name: 'A', email: `${field.toLowerCase()}@example.com`, password, [field]: values[field] };
    const answer = await api.call('POST', '/api/auth/sign-up/email', { json });
    expect({ ...problemOf(answer), errors: answer.body.errors[0].code }).toEqual({
      status: 400,
      code: 'invalid_request',
      errors: 'unknown_field',
    });
  },
);

test('an address signs up once, also when two do it at the same moment', async () => {
  const json = { name: 'A', email: 'twice@example.com', password };
  const answers = await Promise.all(
    [1, 2, 3, 4].map(() => api.call('POST', '/api/auth/sign-up/email', { json })),
  );
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409]);
  expect(problemOf(await api.call('POST', '/api/auth/sign-up/email', { json }))).toEqual({
    status: 409,
    code: 'already_exists',
  });
  expect(
    await db.query(`select 1 from accounts a join users u on u.id = a.user_id where u.email = ?`, [
      json.email,
    ]),
  ).toHaveLength(1);
});

test('a wrong password and an unknown address are answered alike', async () => {
  const { email } = await signUp(api);
  const answers = await Promise.all(
    [email, 'nobody@example.com'].map((address) =>
      api.call('POST', '/api/auth/sign-in/email', { json: { email: address, password: 'wrong password' } }),
    ),
  );
  expect(answers.map(problemOf)).toEqual(Array(2).fill({ status: 401, code: 'invalid_email_or_password' }));
  const [known, unknown] = answers.map(({ body }) => ({ ...body, requestId: '' }));
  expect(known).toEqual(unknown);
});

test('a session ends by signing out, for the next request on', async () => {
  const person = await signUp(api);
  expect((await person.get('/list-sessions')).status).toBe(200);
  expect((await person.post('/sign-out')).body).toEqual({ success: true });
  expect(problemOf(await person.get('/list-sessions'))).toEqual({ status: 401, code: 'unauthenticated' });
  expect((await person.get('/get-session')).body).toBeNull();
});

test('a session that has expired is refused, and shown to nobody', async () => {
  const person = await signUp(api);
  now = new Date(Date.now() + 8 * 24 * 3600 * 1000);
  expect(problemOf(await person.get('/list-accounts'))).toEqual({ status: 401, code: 'unauthenticated' });
  now = new Date();
  expect((await person.get('/list-accounts')).status).toBe(200);
  await db.query(`update sessions set expires_at = now() - interval '1 second' where token = ?`, [
    hashSessionToken(person.token),
  ]);
  expect(problemOf(await person.get('/list-accounts'))).toEqual({ status: 401, code: 'unauthenticated' });
  expect((await person.get('/get-session')).body).toBeNull();
});

test('a session older than a day is prolonged when it is looked at', async () => {
  const person = await signUp(api);
  await db.query(`update sessions set expires_at = now() + interval '5 days' where token = ?`, [
    hashSessionToken(person.token),
  ]);
  const { body } = await person.get('/get-session');
  expect(new Date(body.session.expiresAt as string).getTime()).toBeGreaterThan(
    Date.now() + 6.9 * 24 * 3600 * 1000,
  );
});

test('a name that looks like a moment stays a name', async () => {
  const person = await signUp(api, { name: '2026-11-21 00:54:19.481+00' });
  expect((await person.get('/get-session')).body.user.name).toBe('2026-11-21 00:54:19.481+00');
});

describe('the cookie', () => {
  const cookieOf = async (): Promise<string> => {
    const { email } = await signUp(api);
    const { headers } = await api.call('POST', '/api/auth/sign-in/email', { json: { email, password } });
    const [cookie] = headers.getSetCookie();
    expect(cookie).toMatch(
      /^better-auth\.session_token=.+; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    return cookie!.split(';')[0]!;
  };

  test('is a session, and is not one with a character changed or without its signature', async () => {
    const cookie = await cookieOf();
    const list = (Cookie: string) => api.call('GET', '/api/auth/list-accounts', { headers: { Cookie } });
    expect((await list(cookie)).status).toBe(200);
    expect((await list(`a=b; ${cookie}; c=d`)).status).toBe(200);
    const tampered = cookie.replace(/=(.)/, (_all, first: string) => `=${first === 'a' ? 'b' : 'a'}`);
    for (const bad of [
      tampered,
      cookie.split('.').slice(0, 2).join('.'),
      `${cookie}x`,
      'better-auth.session_token=',
    ]) {
      expect(problemOf(await list(bad))).toEqual({ status: 401, code: 'unauthenticated' });
    }
  });

  test.each<[what: string, headers: Record<string, string>, status: number]>([
    ['a program, which names no origin', {}, 200],
    ['our own pages', { Origin: 'own' }, 200],
    ['another site', { Origin: 'https://evil.example' }, 403],
    ['a page without an origin', { Origin: 'null' }, 403],
  ])('of %s changes things: %#', async (_what, headers, status) => {
    const Cookie = await cookieOf();
    const own = headers['Origin'] === 'own' ? { Origin: api.baseUrl } : headers;
    const answer = await api.call('POST', '/api/auth/update-user', {
      json: { name: 'B' },
      headers: { Cookie, ...own },
    });
    expect(answer.status).toBe(status);
    if (status === 403) expect(answer.body.code).toBe('invalid_origin');
  });
});

test('a forgotten password is replaced once by the link of the mail, and ends every session', async () => {
  const person = await signUp(api);
  const request = { email: person.email, redirectTo: '/set-password' };
  const asked = await api.call('POST', '/api/auth/request-password-reset', { json: request });
  const unknown = await api.call('POST', '/api/auth/request-password-reset', {
    json: { email: 'nobody@example.com' },
  });
  expect(unknown.body).toEqual(asked.body);

  const opened = await api.call('GET', await linkMailed(api, person.email, '/reset-password/'));
  expect(opened.status).toBe(302);
  const location = new URL(opened.headers.get('location')!, api.baseUrl);
  expect(location.pathname).toBe('/set-password');
  const json = { newPassword: 'a new password', token: location.searchParams.get('token') };
  expect((await api.call('POST', '/api/auth/reset-password', { json })).body).toEqual({ status: true });
  expect(problemOf(await api.call('POST', '/api/auth/reset-password', { json }))).toEqual({
    status: 400,
    code: 'invalid_token',
  });
  expect((await person.get('/list-accounts')).status).toBe(401);
  await expect(signIn(api, person.email)).rejects.toThrow('401');
  expect((await signIn(api, person.email, 'a new password')).userId).toBe(person.userId);
});

const elsewhere = [
  ...['https://evil.example/', '//evil.example', '/\\evil.example', '/..//evil.example'],
  ...['/.//evil.example', '/a/..//evil.example', '/%2e%2e//evil.example', '/x/..//user@evil.example'],
];

test.each(elsewhere)('no link of a mail leads to %s', async (redirectTo) => {
  const { email } = await signUp(api);
  const sent = api.mails.length;
  const answer = await api.call('POST', '/api/auth/request-password-reset', {
    json: { email, redirectTo },
  });
  expect(problemOf(answer)).toEqual({ status: 403, code: 'invalid_callback_url' });
  expect(api.mails.length).toBe(sent);
});

test.each(elsewhere)('no confirmation of an address leads to %s', async (callbackURL) => {
  const form = { token: 'x', callbackURL };
  expect(problemOf(await api.call('POST', '/api/auth/verify-email', { form }))).toEqual({
    status: 403,
    code: 'invalid_callback_url',
  });
});

test('links of mails lead to BASE_URL, whatever the Host header says', async () => {
  const { email } = await signUp(api);
  await api.call('POST', '/api/auth/request-password-reset', {
    json: { email },
    headers: { Host: 'evil.example', 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'https' },
  });
  await linkMailed(api, email, '/reset-password/');
  expect(api.mails.filter(({ text }) => text.includes('evil'))).toEqual([]);
});

test('the address of a session is the connection, not what a header says', async () => {
  const { email } = await signUp(api);
  const { body } = await api.call('POST', '/api/auth/sign-in/email', {
    json: { email, password },
    headers: { 'X-Forwarded-For': '203.0.113.9', 'X-Client-Address': '203.0.113.9' },
  });
  const session = await api.call('GET', '/api/auth/get-session', { session: body.token as string });
  expect(session.body.session.ipAddress).toMatch(/127\.0\.0\.1$/);
});

test('a password is changed by whoever knows it', async () => {
  const person = await signUp(api);
  const change = (currentPassword: string) =>
    person.post('/change-password', { currentPassword, newPassword: 'a new password' });
  expect(problemOf(await change('wrong'))).toEqual({ status: 400, code: 'invalid_password' });
  expect((await change(password)).status).toBe(200);
});

test('an account shows no secret', async () => {
  const person = await signUp(api);
  const { body } = await person.get('/list-accounts');
  expect(body).toHaveLength(1);
  expect(Object.keys(body[0]).toSorted()).toEqual(
    ['accountId', 'createdAt', 'id', 'providerId', 'scope', 'updatedAt', 'userId'].toSorted(),
  );
});

test("nobody ends another's session", async () => {
  const [person, other] = [await signUp(api), await signUp(api)];
  await other.post('/revoke-session', { token: person.token });
  expect((await person.get('/list-accounts')).status).toBe(200);
});
