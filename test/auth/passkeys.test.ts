import { startTestApi, type TestApi } from '../helpers/api.ts';
import { createAuthenticator } from '../helpers/authenticator.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { addPasskey, beginCeremony, signInWithPasskey } from '../helpers/passkeys.ts';
import { makeAdministrator, problemOf, signUp, type Person } from '../helpers/people.ts';
import { turnOnTwoFactor } from '../helpers/two-factor.ts';

let db: TestDatabase;
let api: TestApi;

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database });
});

afterAll(async () => {
  await api.stop();
  await db.drop();
});

const refused = { status: 400, code: 'invalid_passkey' };

const register = (person: Person, headers: Record<string, string>, response: unknown) =>
  person.call('POST', '/api/auth/passkey/verify-registration', { headers, json: { response } });

const passkeysOf = async (person: Person) =>
  (await person.get('/passkey/list-user-passkeys')).body as unknown;

async function kindsOf(person: Person): Promise<string[]> {
  const { body } = await person.call('GET', '/api/v1/account/security-events');
  return body.data.map(({ kind, method }: { kind: string; method: string | null }) =>
    [kind, method].filter((part) => part !== null).join(' '),
  );
}

test('a passkey signs in alone, also where a password needs a code, and is listed without its key', async () => {
  const person = await signUp(api);
  await turnOnTwoFactor(person);
  const passkey = await addPasskey(api, person);
  expect(await passkeysOf(person)).toEqual([
    { id: passkey.id, name: 'Laptop', isSynced: false, createdAt: expect.any(String) },
  ]);
  const { status, body, headers } = await signInWithPasskey(api, passkey);
  expect([status, body.user.id]).toEqual([200, person.userId]);
  expect(headers.getSetCookie().join()).toContain('session_token');
  const mine = await api.call('GET', '/api/auth/get-session', { session: body.session.token as string });
  expect(mine.body.user.email).toBe(person.email);
  // The counter goes up with each use.
  expect((await signInWithPasskey(api, passkey)).status).toBe(200);
  expect(await kindsOf(person)).toEqual([
    ...[
      'signed_in passkey',
      'signed_in passkey',
      'passkey_added',
      'two_factor_enabled',
      'signed_in password',
    ],
  ]);
});

test('the options ask for a device that recognises its user, and for a passkey that it finds by itself', async () => {
  const person = await signUp(api);
  const { options } = await beginCeremony(api, person);
  expect(options).toMatchObject({
    rp: { id: '127.0.0.1', name: 'SMS service' },
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    user: { name: person.email },
  });
  expect((await beginCeremony(api)).options).toMatchObject({ userVerification: 'required' });
});

test.each([
  ['from another site', { origin: 'https://evil.example' }],
  ['of a device that has not recognised its user', { isUserVerified: false }],
  ['of another ceremony', { type: 'webauthn.get' }],
])('a registration %s is refused, and stores nothing', async (_name, oddities) => {
  const person = await signUp(api);
  const { options, headers } = await beginCeremony(api, person);
  const response = createAuthenticator(api.baseUrl).create(options, oddities);
  expect(problemOf(await register(person, headers, response))).toEqual(refused);
  expect(await passkeysOf(person)).toEqual([]);
  expect(await kindsOf(person)).toEqual(['signed_in password']);
});

test.each([
  ['from another site', { origin: 'https://evil.example' }],
  ['of a device that has not recognised its user', { isUserVerified: false }],
  ['of another ceremony', { type: 'webauthn.create' }],
])('a sign-in %s is refused, and leaves no session', async (_name, oddities) => {
  const person = await signUp(api);
  const passkey = await addPasskey(api, person);
  const answer = await signInWithPasskey(api, passkey, oddities);
  expect(problemOf(answer)).toEqual(refused);
  expect(answer.headers.get('set-auth-token')).toBeNull();
  expect((await person.get('/list-sessions')).body).toHaveLength(1);
});

test('an answer is used once, and not for the challenge of somebody else', async () => {
  const [person, other] = [await signUp(api), await signUp(api)];
  const passkey = await addPasskey(api, person);
  const { options, headers } = await beginCeremony(api);
  const json = { response: passkey.get(options) };
  const send = (cookies: Record<string, string>) =>
    api.call('POST', '/api/auth/passkey/verify-authentication', { headers: cookies, json });
  const answers = await Promise.all([1, 2, 3].map(() => send(headers)));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400]);
  expect(problemOf(await send((await beginCeremony(api)).headers))).toEqual(refused);
  expect(problemOf(await send({}))).toEqual(refused);
  // A registration that one person has begun, and another one ends.
  const begun = await beginCeremony(api, person);
  const response = createAuthenticator(api.baseUrl).create(begun.options);
  expect(problemOf(await register(other, begun.headers, response))).toEqual(refused);
  // The cookie of a sign-in is of no use for a registration.
  const ofSignIn = await beginCeremony(api);
  const created = createAuthenticator(api.baseUrl).create(ofSignIn.options);
  expect(problemOf(await register(other, ofSignIn.headers, created))).toEqual(refused);
  expect(await passkeysOf(other)).toEqual([]);
});

test('a removed passkey signs nobody in, and only its user removes it', async () => {
  const [person, other] = [await signUp(api), await signUp(api)];
  const passkey = await addPasskey(api, person);
  for (const id of [passkey.id, 'x']) {
    expect(problemOf(await other.post('/passkey/delete-passkey', { id }))).toEqual({
      status: 404,
      code: 'not_found',
    });
  }
  expect((await person.post('/passkey/delete-passkey', { id: passkey.id })).status).toBe(200);
  expect((await person.post('/passkey/delete-passkey', { id: passkey.id })).status).toBe(404);
  expect(problemOf(await signInWithPasskey(api, passkey))).toEqual(refused);
  expect((await kindsOf(person)).slice(0, 2)).toEqual(['passkey_removed', 'passkey_added']);
  const told = api.mails.filter(({ to }) => to === person.email).map(({ text }) => text.split('\n')[0]);
  expect(told.slice(-2)).toEqual([
    'A passkey was added to your account. Whoever has it can sign in.',
    'A passkey was removed from your account.',
  ]);
});

test('a banned user is refused, and an administrator who acts as a user adds none', async () => {
  const [administrator, person] = [await signUp(api), await signUp(api)];
  await makeAdministrator(db, administrator);
  const passkey = await addPasskey(api, person);
  const { body } = await administrator.post('/admin/impersonate-user', { userId: person.userId });
  const session = body.session.token as string;
  const begun = await api.call('GET', '/api/auth/passkey/generate-register-options', { session });
  expect(problemOf(begun)).toEqual({ status: 403, code: 'not_while_impersonating' });
  await administrator.post('/admin/ban-user', { userId: person.userId });
  expect(problemOf(await signInWithPasskey(api, passkey))).toEqual({ status: 403, code: 'banned' });
});

test('a session of yesterday adds no passkey', async () => {
  const person = await signUp(api);
  await db.query(`update sessions set created_at = now() - interval '25 hours' where user_id = ?`, [
    person.userId,
  ]);
  const answer = await person.get('/passkey/generate-register-options');
  expect(problemOf(answer)).toEqual({ status: 403, code: 'session_not_fresh' });
});

test('a user has 20 passkeys at most, also of two that come at once', async () => {
  const person = await signUp(api);
  await db.query(
    `insert into passkeys (id, user_id, public_key, credential_id, counter, device_type, backed_up, created_at)
     select gen_random_uuid(), ?, 'x', gen_random_uuid()::text, 0, 'singleDevice', false, now() from generate_series(1, 19)`,
    [person.userId],
  );
  const begun = [await beginCeremony(api, person), await beginCeremony(api, person)];
  const answers = await Promise.all(
    begun.map(({ options, headers }) =>
      register(person, headers, createAuthenticator(api.baseUrl).create(options)),
    ),
  );
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  expect(await passkeysOf(person)).toHaveLength(20);
});

test.each([
  ['verify-registration', {}, 'response'],
  [
    'verify-registration',
    { response: { id: 'x', rawId: 'x', type: 'public-key', response: {} } },
    'response',
  ],
  ['verify-authentication', { response: 'x' }, 'response'],
  ['delete-passkey', {}, 'id'],
])('%s with %j is refused, and names %s', async (path, fields, named) => {
  const person = await signUp(api);
  const { status, body } = await person.post(`/passkey/${path}`, fields);
  expect([status, body.code]).toEqual([400, 'invalid_request']);
  expect(JSON.stringify(body.errors)).toContain(`/body/${named}`);
});

test('what is no passkey at all is refused like any other', async () => {
  const { headers } = await beginCeremony(api);
  const response = { id: '!', rawId: '?', type: 'public-key', response: {} as object };
  response.response = { clientDataJSON: '{', authenticatorData: 'x', signature: 'x' };
  const json = { response };
  const answer = await api.call('POST', '/api/auth/passkey/verify-authentication', { headers, json });
  expect(problemOf(answer)).toEqual(refused);
  const person = await signUp(api);
  const begun = await beginCeremony(api, person);
  const created = { ...response, response: { clientDataJSON: '{', attestationObject: 'x' } };
  expect(problemOf(await register(person, begun.headers, created))).toEqual(refused);
});
