import { hashSessionToken } from '../../src/auth/sessions/session-token.ts';
import { startTestApi, type Answer, type TestApi } from '../helpers/api.ts';
import { loadContract } from '../../src/http/contract/contract.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import {
  createOrganization,
  makeAdministrator,
  password,
  type Person,
  problemOf,
  signIn,
  signUp,
} from '../helpers/people.ts';

const dayMs = 24 * 3_600_000;

let db: TestDatabase;
let api: TestApi;
let administrator: Person;
let now = new Date();

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database, now: () => now });
  administrator = await signUp(api);
  await makeAdministrator(db, administrator);
});
beforeEach(() => {
  now = new Date();
});
afterAll(async () => {
  await api.stop();
  await db.drop();
});

const hasJson = { 'Content-Type': 'application/json' };

/** Moves a session's whole life into the past. */
async function age(token: string, days: number): Promise<void> {
  await db.query(
    `update sessions set created_at = created_at - make_interval(days => ?), expires_at = expires_at - make_interval(days => ?)
     where token = ?`,
    [days, days, hashSessionToken(token)],
  );
}

async function expiryOf(token: string): Promise<number> {
  const [row] = await db.query<{ expires_at: string }>('select expires_at from sessions where token = ?', [
    hashSessionToken(token),
  ]);
  return new Date(row!.expires_at).getTime();
}

/** The cookies of an answer as the header that a browser sends; those that were taken away are not among them. */
function cookiesOf(headers: Headers): Record<string, string> {
  const kept = headers.getSetCookie().filter((line) => !/max-age=0/i.test(line));
  return Object.fromEntries(kept.map((line) => line.split(';')[0]!.split(/=(.*)/).slice(0, 2)));
}
const cookieHeader = (jar: Record<string, string>) =>
  Object.entries(jar)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ');

async function signInByCookie(person: Person, rememberMe = true) {
  const json = { email: person.email, password, rememberMe };
  const { body, headers } = await api.call('POST', '/api/auth/sign-in/email', { json });
  return { token: body.token as string, jar: cookiesOf(headers) };
}

async function impersonate(person: Person): Promise<{ id: string; token: string }> {
  const { body } = await administrator.post('/admin/impersonate-user', { userId: person.userId });
  return { id: body.session.id as string, token: body.session.token as string };
}

describe('a session in use', () => {
  test.each(['/api/v1/organizations/invitations', '/api/auth/list-accounts', '/api/auth/get-session'])(
    'lives on by %s, and is written once a day at most',
    async (path) => {
      const person = await signUp(api);
      await age(person.token, 2);
      await Promise.all([1, 2, 3, 4].map(() => person.call('GET', path)));
      const prolonged = await expiryOf(person.token);
      expect(prolonged).toBeGreaterThan(now.getTime() + 6.9 * dayMs);
      now = new Date(now.getTime() + dayMs / 2);
      await person.call('GET', path);
      expect(await expiryOf(person.token)).toBe(prolonged);
      now = new Date(now.getTime() + dayMs);
      await person.call('GET', path);
      expect(await expiryOf(person.token)).toBe(now.getTime() + 7 * dayMs);
    },
  );

  test('gives a browser its cookie for another week, and only when it is prolonged', async () => {
    const { token, jar } = await signInByCookie(await signUp(api));
    const use = () =>
      api.call('GET', '/api/v1/organizations/invitations', { headers: { Cookie: cookieHeader(jar) } });
    expect((await use()).headers.getSetCookie()).toEqual([]);
    await age(token, 2);
    const [cookie, ...more] = (await use()).headers.getSetCookie();
    expect(more).toEqual([]);
    expect(cookie).toMatch(
      /^better-auth\.session_token=.+; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    const renewed = cookie!.split(';')[0]!;
    expect((await api.call('GET', '/api/auth/list-accounts', { headers: { Cookie: renewed } })).status).toBe(
      200,
    );
    const shown = await api.call('GET', '/api/auth/get-session', { headers: { Cookie: renewed } });
    expect(shown.body.session.token).toBe(token);
  });

  test('does not live on when nobody asked to be remembered, or when it is only looked at', async () => {
    const person = await signUp(api);
    const { token } = await signInByCookie(person, false);
    const expiry = await expiryOf(token);
    expect(expiry).toBeLessThanOrEqual(Date.now() + dayMs);
    await api.call('GET', '/api/auth/get-session', { session: token });
    await api.call('GET', '/api/auth/list-accounts', { session: token });
    expect(await expiryOf(token)).toBe(expiry);

    await age(person.token, 2);
    const old = await expiryOf(person.token);
    await person.get('/get-session?disableRefresh=true');
    expect(await expiryOf(person.token)).toBe(old);
  });
});

describe('a session that impersonates', () => {
  test('is over after its hour, however it is used', async () => {
    const { token } = await impersonate(await signUp(api));
    const expiry = await expiryOf(token);
    expect(expiry).toBeLessThanOrEqual(Date.now() + 3_600_000);
    for (const path of [
      '/api/auth/get-session',
      '/api/auth/list-accounts',
      '/api/v1/organizations/invitations',
    ]) {
      const { status, headers } = await api.call('GET', path, { session: token });
      expect({ path, status }).toEqual({ path, status: 200 });
      expect(headers.getSetCookie().filter((line) => /max-age=[1-9]/i.test(line))).toEqual([]);
    }
    expect(await expiryOf(token)).toBe(expiry);
    now = new Date(expiry);
    expect((await api.call('GET', '/api/auth/list-accounts', { session: token })).status).toBe(401);
  });

  test.each<[what: string, end: [string, object], undo: [string, object]]>([
    ['banned', ['ban-user', {}], ['unban-user', {}]],
    ['banned for an hour', ['ban-user', { banExpiresIn: 3600 }], ['unban-user', {}]],
    ['no administrator any more', ['set-role', { role: 'user' }], ['set-role', { role: 'admin' }]],
  ])('is over for good when who is behind it is %s', async (_what, end, undo) => {
    const [person, other] = [await signUp(api), await signUp(api)];
    await makeAdministrator(db, other);
    const { body } = await other.post('/admin/impersonate-user', { userId: person.userId });
    const token = body.session.token as string;
    const use = async () => [
      (await api.call('GET', '/api/auth/list-accounts', { session: token })).status,
      (await api.call('GET', '/api/auth/get-session', { session: token })).body?.user.id,
    ];
    const change = async ([action, fields]: [string, object]) =>
      (await administrator.post(`/admin/${action}`, { userId: other.userId, ...fields })).status;
    expect(await use()).toEqual([200, person.userId]);
    expect(await change(end)).toBe(200);
    expect(await use()).toEqual([401, undefined]);
    expect(await db.query('select 1 from sessions where token = ?', [hashSessionToken(token)])).toEqual([]);
    expect(await change(undo)).toBe(200);
    expect(await use()).toEqual([401, undefined]);
  });

  test.each<[what: string, end: (other: Person) => Promise<Answer>]>([
    ['signs out', (other) => other.post('/sign-out', {})],
    ['ends all their sessions', (other) => other.post('/revoke-sessions', {})],
    ['ends their other sessions', (other) => other.post('/revoke-other-sessions', {})],
    [
      'loses all sessions to another administrator',
      (other) => administrator.post('/admin/revoke-user-sessions', { userId: other.userId }),
    ],
    [
      'gets a new password by mail',
      async ({ email }) => {
        await api.call('POST', '/api/auth/request-password-reset', { json: { email } });
        const mail = api.mails.findLast(({ to }) => to === email)!.text;
        const token = /reset-password\/([^?/\s]+)/.exec(mail)![1]!;
        return api.call('POST', '/api/auth/reset-password', {
          json: { token, newPassword: 'a-new-password-1' },
        });
      },
    ],
  ])('ends when whoever is behind it %s', async (_what, end) => {
    const [person, other] = [await signUp(api), await signUp(api)];
    await makeAdministrator(db, other);
    // Stolen, or left open elsewhere: the session that is ended by `ends their other sessions`.
    await signIn(api, other.email);
    const { body } = await other.post('/admin/impersonate-user', { userId: person.userId });
    const use = async () =>
      (await api.call('GET', '/api/auth/list-accounts', { session: body.session.token })).status;
    expect(await use()).toBe(200);
    expect((await end(other)).status).toBe(200);
    expect(await use()).toBe(401);
  });

  test('whose row is still there is not shown when who is behind it is no administrator', async () => {
    const { token } = await impersonate(await signUp(api));
    await db.query('update sessions set impersonated_by = gen_random_uuid() where token = ?', [
      hashSessionToken(token),
    ]);
    const shown = await api.call('GET', '/api/auth/get-session', { session: token });
    expect([shown.status, shown.body]).toEqual([200, null]);
  });

  test('ends as bearer, and says who the administrator is', async () => {
    const { id, token } = await impersonate(await signUp(api));
    const stop = () => api.call('POST', '/api/auth/admin/stop-impersonating', { session: token });
    const { status, body, headers } = await stop();
    expect({ status, body }).toMatchObject({ status: 200, body: { user: { id: administrator.userId } } });
    expect(body).not.toHaveProperty('session');
    expect(headers.getSetCookie()).toEqual([]);
    expect(await db.query('select 1 from sessions where id = ?', [id])).toEqual([]);
    expect(problemOf(await stop())).toEqual({ status: 401, code: 'unauthenticated' });
    expect((await administrator.get('/list-accounts')).status).toBe(200);
  });

  test.each([
    ['and puts the administrator’s own back', true, true],
    ['and puts back one that ends with the browser', true, false],
    ['and leaves none when the administrator’s own is over', false, true],
  ])('ends as cookie, %s', async (_what, isGood, isRemembered) => {
    const own = await signInByCookie(administrator, isRemembered);
    const person = await signUp(api);
    const json = { userId: person.userId };
    const headers = { Cookie: cookieHeader(own.jar) };
    const started = await api.call('POST', '/api/auth/admin/impersonate-user', { json, headers });
    const jar = cookiesOf(started.headers);
    if (!isGood) {
      await db.query(`update sessions set expires_at = now() - interval '1 hour' where token = ?`, [
        hashSessionToken(own.token),
      ]);
    }
    const stopped = await api.call('POST', '/api/auth/admin/stop-impersonating', {
      headers: { Cookie: cookieHeader(jar) },
    });
    expect(stopped.status).toBe(200);
    expect(stopped.body.user.id).toBe(administrator.userId);
    expect(stopped.body.session?.token).toBe(isGood ? own.token : undefined);
    expect(await db.query('select 1 from sessions where id = ?', [started.body.session.id])).toEqual([]);
    const after = cookiesOf(stopped.headers);
    expect(Object.keys(after)).toEqual(isGood ? ['better-auth.session_token'] : []);
    const line = stopped.headers.getSetCookie().find((one) => one.startsWith('better-auth.session_token='));
    expect(/max-age=604800/i.test(line!)).toBe(isGood && isRemembered);
    expect(stopped.headers.getSetCookie().some((one) => /admin_session=; max-age=0/i.test(one))).toBe(true);
    const seen = await api.call('GET', '/api/auth/get-session', { headers: { Cookie: cookieHeader(after) } });
    expect(seen.body?.user.id).toBe(isGood ? administrator.userId : undefined);
  });

  test('is the only kind that ends so', async () => {
    expect(problemOf(await administrator.post('/admin/stop-impersonating'))).toEqual({
      status: 409,
      code: 'invalid_state',
    });
    expect((await administrator.get('/list-accounts')).status).toBe(200);
  });

  test('is refused whatever would let its administrator stay in', async () => {
    const { token } = await impersonate(await signUp(api));
    const refused = loadContract().operations.filter((operation) => operation.isRefusedWhileImpersonating);
    expect(refused.map(({ operationId }) => operationId).toSorted()).toEqual([
      'addPasskey',
      'beginPasskey',
      'changePassword',
      'confirmTwoFactor',
      'createApiKey',
      'disableTwoFactor',
      'enableTwoFactor',
      'inviteMember',
      'linkSocial',
      'listSessions',
      'removePasskey',
      'renewRecoveryCodes',
      'revokeOtherSessions',
      'revokeSessions',
      'unlinkAccount',
      'updateApiKey',
      'updateMemberRole',
      'updateUser',
    ]);
    for (const { method, path } of refused) {
      const options = method !== 'GET' ? { raw: { type: hasJson['Content-Type'], body: '{}' } } : {};
      const answer = await api.call(method, path, { session: token, ...options });
      expect({ path, ...problemOf(answer) }).toEqual({ path, status: 403, code: 'not_while_impersonating' });
    }
  });

  test('invites nobody into the organizations of its user, and its administrator stays out of them', async () => {
    const owner = await signUp(api);
    const { organizationId } = await createOrganization(owner);
    const { token } = await impersonate(owner);
    const json = { email: administrator.email, role: 'owner', organizationId };
    expect(
      problemOf(await api.call('POST', '/api/auth/organization/invite-member', { session: token, json })),
    ).toEqual({ status: 403, code: 'not_while_impersonating' });
    expect(await db.query('select 1 from invitations where organization_id = ?', [organizationId])).toEqual(
      [],
    );
  });

  test('does not become an administrator’s when its user does', async () => {
    const person = await signUp(api);
    const { token } = await impersonate(person);
    await makeAdministrator(db, person);
    expect(problemOf(await api.call('GET', '/api/auth/admin/list-users', { session: token }))).toEqual({
      status: 403,
      code: 'permission_denied',
    });
  });
});

test('administrators list and end the sessions of others without ever seeing a token', async () => {
  const person = await signUp(api);
  const second = await signInByCookie(person);
  const listed = await administrator.post('/admin/list-user-sessions', { userId: person.userId });
  const sessions = listed.body.sessions as { id: string; token: string }[];
  expect(sessions).toHaveLength(2);
  expect(JSON.stringify(listed.body)).not.toContain(person.token);
  expect(JSON.stringify(listed.body)).not.toContain(second.token);
  for (const { id, token } of sessions) {
    expect(token).toBe(id);
    expect((await api.call('GET', '/api/auth/list-accounts', { session: token })).status).toBe(401);
  }
  const revoke = (sessionToken: string) => administrator.post('/admin/revoke-user-session', { sessionToken });
  expect((await revoke(sessions[0]!.token)).body).toEqual({ success: true });
  expect((await api.call('GET', '/api/auth/list-accounts', { session: second.token })).status).toBe(401);
  expect((await person.get('/list-accounts')).status).toBe(200);
  expect((await revoke(person.token)).body).toEqual({ success: true });
  expect((await person.get('/list-accounts')).status).toBe(401);
});

test('people end their own sessions by the ids that stand for tokens, by a token, or all at once, and nobody else does', async () => {
  const [person, stranger] = [await signUp(api), await signUp(api)];
  const sessions = await Promise.all([1, 2, 3, 4].map(() => signInByCookie(person)));
  const isGood = async ({ token }: { token: string }) =>
    (await api.call('GET', '/api/auth/list-accounts', { session: token })).status === 200;
  const good = async () => (await Promise.all(sessions.map(isGood))).filter(Boolean).length;
  const { body } = await person.get('/list-sessions');
  expect((body as { id: string; token: string }[]).map(({ id, token }) => id === token)).toEqual(
    Array(5).fill(true),
  );
  expect(JSON.stringify(body)).not.toContain(person.token);
  const shown = await api.call('GET', '/api/auth/get-session', { session: sessions[0]!.token });
  const { id } = shown.body.session as { id: string };

  for (const token of [id, sessions[1]!.token]) {
    expect((await stranger.post('/revoke-session', { token })).body).toEqual({ status: true });
  }
  expect((await stranger.post('/revoke-other-sessions')).body).toEqual({ status: true });
  expect(await good()).toBe(4);
  expect((await person.post('/revoke-session', { token: id })).body).toEqual({ status: true });
  expect(await isGood(sessions[0]!)).toBe(false);
  await person.post('/revoke-session', { token: sessions[1]!.token });
  expect(await isGood(sessions[1]!)).toBe(false);
  expect(await good()).toBe(2);
  await person.post('/revoke-other-sessions');
  expect([await good(), await isGood(person)]).toEqual([0, true]);
  const last = await signInByCookie(person);
  await person.post('/revoke-sessions');
  expect([await isGood(last), await isGood(person), await isGood(stranger)]).toEqual([false, false, true]);
});

test.each(['nobody', 'someone', 'someone who is banned'])(
  'signing out takes the cookies of %s',
  async (who) => {
    const person = await signUp(api);
    const { token, jar } = await signInByCookie(person);
    if (who === 'someone who is banned')
      await administrator.post('/admin/ban-user', { userId: person.userId });
    const headers = { Cookie: who === 'nobody' ? '' : cookieHeader(jar) };
    const signOut = (more: object) =>
      api.call('POST', '/api/auth/sign-out', { headers: { ...headers, ...more } });
    expect(problemOf(await signOut({ Origin: 'https://evil.example' })).code).toBe('invalid_origin');
    const stored = () => db.query('select 1 from sessions where token = ?', [hashSessionToken(token)]);
    expect(await stored()).toHaveLength(1);
    const answer = await signOut({});
    expect(answer.body).toEqual({ success: true });
    expect(
      answer.headers.getSetCookie().filter((line) => /session_token=; max-age=0/i.test(line)),
    ).toHaveLength(1);
    expect(await stored()).toHaveLength(who === 'nobody' ? 1 : 0);
  },
);

test.each(['json', 'form', 'multipart'] as const)('sessions are listed and ended by %s', async (encoding) => {
  const person = await signUp(api);
  const post = (path: string, fields: Record<string, string>) =>
    administrator.call('POST', `/api/auth/admin/${path}`, { [encoding]: fields });
  const { body } = await post('list-user-sessions', { userId: person.userId });
  await post('revoke-user-session', { sessionToken: body.sessions[0].token });
  expect((await person.get('/list-accounts')).status).toBe(401);
});
