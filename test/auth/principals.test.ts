import { roleAllows, permissions } from '../../src/auth/permissions.ts';
import { startTestApi, type CallOptions, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { password, signUp, type Person } from '../helpers/people.ts';
import { createTenant, type Tenant } from '../helpers/tenants.ts';

let db: TestDatabase;
let api: TestApi;
let person: Person;
let first: Tenant;
let second: Tenant;

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database });
  person = await signUp(api);
  first = await createTenant(db.database);
  second = await createTenant(db.database);
});

afterAll(async () => {
  await api.stop();
  await db.drop();
});

async function addMember(tenant: Tenant, role: string): Promise<void> {
  await db.query(
    `insert into members (id, organization_id, user_id, role, created_at) values (gen_random_uuid(), ?, ?, ?, now())`,
    [tenant.organizationId, person.userId, role],
  );
}

const message = { to: '0911234567', text: 'Selam' };

test('a session acts for the named organization, else the active, else the only one, else it must name one', async () => {
  const send = (json: Record<string, unknown> = {}) =>
    person.call('POST', '/api/v1/messages', { json: { ...message, ...json } });
  expect((await send()).body).toMatchObject({ status: 400, code: 'organization_required' });
  await addMember(first, 'owner');
  expect((await send()).body).toMatchObject({ organizationId: first.organizationId, environment: 'live' });
  await addMember(second, 'member');
  expect((await send()).body.code).toBe('organization_required');
  expect((await send({ organizationId: second.organizationId })).body).toMatchObject({
    organizationId: second.organizationId,
  });
  expect(
    (await person.post('/organization/set-active', { organizationId: second.organizationId })).status,
  ).toBe(200);
  expect((await send()).body).toMatchObject({ organizationId: second.organizationId });
  const stranger = await createTenant(db.database);
  for (const organizationId of [stranger.organizationId, 'no-uuid']) {
    expect((await send({ organizationId })).body).toMatchObject({ status: 404, code: 'not_found' });
  }
});

test('a session sees both environments, and one when it asks; a key never sees the other', async () => {
  const key = await first.createKey({ environment: 'test' });
  const made = (await api.call('POST', '/api/v1/messages', { key, json: message })).body;
  const list = async (query: string) =>
    (await person.call('GET', `/api/v1/messages?organizationId=${first.organizationId}${query}`)).body
      .data as {
      id: string;
      environment: string;
    }[];
  expect(new Set((await list('')).map(({ environment }) => environment))).toEqual(new Set(['live', 'test']));
  expect((await list('&environment=test')).map(({ id }) => id)).toEqual([made.id]);
  expect((await api.call('GET', '/api/v1/messages?environment=live', { key })).body.data).toEqual([]);
  expect((await person.call('GET', '/api/v1/messages?environment=staging')).status).toBe(400);
});

test('a key in the header is taken before a session, and a bearer token that is no key is a session’s', async () => {
  const key = await second.createKey();
  const both = await api.call('POST', '/api/v1/messages', { key, session: person.token, json: message });
  expect(both.body.organizationId).toBe(second.organizationId);
  const nobody = await api.call('GET', '/api/v1/messages', { headers: { Authorization: 'Bearer nonsense' } });
  expect(nobody.body).toMatchObject({ status: 401, code: 'unauthenticated' });
});

test('a key with the public id of an existing one and another secret is refused', async () => {
  const key = await second.createKey();
  await db.query(`update api_keys set secret_hash = sha256('another secret') where public_id = ?`, [
    key.split('_')[2],
  ]);
  const answer = await api.call('GET', '/api/v1/messages', { key });
  expect(answer.body).toMatchObject({ status: 401, code: 'unauthenticated' });
});

describe('of several credentials', () => {
  let cookie: string;
  let key: string;
  let staleKey: string;
  const ask = async (path: string, options: CallOptions) => {
    const { status, body } = await api.call('GET', path, options);
    return status === 200 ? 200 : `${status} ${body.code}`;
  };
  const [forKeys, forSessions] = ['/api/v1/messages', '/api/auth/list-accounts'];

  beforeAll(async () => {
    const json = { email: person.email, password };
    const { headers } = await api.call('POST', '/api/auth/sign-in/email', { json });
    cookie = headers.getSetCookie()[0]!.split(';')[0]!;
    key = await second.createKey({ permissions: ['messages:send'] });
    staleKey = await second.createKey({ revokedAt: new Date() });
    await person.call('POST', '/api/auth/organization/set-active', {
      headers: { Authorization: '', Cookie: cookie },
      json: { organizationId: second.organizationId },
    });
  });

  /** A key that may not list messages shows itself by 403, a session by 200. */
  const rows: [what: string, send: () => CallOptions, path: string, answer: unknown][] = [
    [
      'a key in a cookie alone',
      () => ({ headers: { Cookie: `apiKeyCookie=${key}` } }),
      forKeys,
      '403 permission_denied',
    ],
    [
      'a key in quotes in a cookie (RFC 6265, 4.1.1)',
      () => ({ headers: { Cookie: `a=b; apiKeyCookie="${key}" ; c=d` } }),
      forKeys,
      '403 permission_denied',
    ],
    [
      'a session beside a key, in cookies',
      () => ({ headers: { Cookie: `apiKeyCookie=${key}; ${cookie}` } }),
      forKeys,
      200,
    ],
    [
      'a session beside a key, in cookies',
      () => ({ headers: { Cookie: `apiKeyCookie=${key}; ${cookie}` } }),
      forSessions,
      200,
    ],
    [
      'a session beside a stale key, in cookies',
      () => ({ headers: { Cookie: `apiKeyCookie=${staleKey}; ${cookie}` } }),
      forKeys,
      200,
    ],
    [
      'a session beside a stale key, in cookies',
      () => ({ headers: { Cookie: `apiKeyCookie=${staleKey}; ${cookie}` } }),
      forSessions,
      200,
    ],
    [
      'a session beside a key, in cookies, where neither owners nor keys may',
      () => ({ headers: { Cookie: `apiKeyCookie=${key}; ${cookie}` } }),
      '/api/auth/admin/list-users',
      '403 permission_denied',
    ],
    [
      'a session that is over beside a key, in cookies',
      () => ({ headers: { Cookie: `better-auth.session_token=x.y; apiKeyCookie=${key}` } }),
      forKeys,
      '403 permission_denied',
    ],
    [
      'a key in the header beside a session’s cookie',
      () => ({ key, headers: { Cookie: cookie } }),
      forKeys,
      '403 permission_denied',
    ],
    [
      'a key in the header beside a session’s cookie',
      () => ({ key, headers: { Cookie: cookie } }),
      forSessions,
      '403 permission_denied',
    ],
    [
      'a key as bearer beside a session’s cookie',
      () => ({ session: key, headers: { Cookie: cookie } }),
      forKeys,
      '403 permission_denied',
    ],
    [
      'a stale key as bearer beside a session’s cookie',
      () => ({ session: staleKey, headers: { Cookie: cookie } }),
      forSessions,
      '401 api_key_revoked',
    ],
    [
      'a session as bearer beside a key in a cookie',
      () => ({ session: person.token, headers: { Cookie: `apiKeyCookie=${staleKey}` } }),
      '/api/auth/list-accounts',
      200,
    ],
    [
      'a bearer token of nobody beside a key in a cookie',
      () => ({ session: 'nonsense', headers: { Cookie: `apiKeyCookie=${key}` } }),
      forKeys,
      '401 unauthenticated',
    ],
  ];
  test.each(['Bearer\tbad', 'Bearer:bad', 'Bearer,bad', 'Bearer=bad', 'bearerbad', 'BEARER', 'Bearers bad'])(
    'a malformed bearer is wrong, and neither cookie beside it counts: %j',
    async (authorization) => {
      const headers = { Authorization: authorization, Cookie: `apiKeyCookie=${key}; ${cookie}` };
      expect(await ask(forKeys, { headers })).toBe('401 unauthenticated');
      expect(await ask(forSessions, { headers })).toBe('401 unauthenticated');
    },
  );

  test.each(['Basic dXNlcjpzZWNyZXQ=', 'Digest username="Bearer"', ''])(
    'an Authorization header of another scheme is ignored: %j',
    async (authorization) => {
      const headers = { Authorization: authorization, Cookie: cookie };
      expect(await ask(forSessions, { headers })).toBe(200);
    },
  );

  test.each(['', '""', ' '])('a key cookie without a value is none: %j', async (value) => {
    const Cookie = `apiKeyCookie=${value}`;
    const none = await api.call('GET', forKeys, {});
    const empty = await api.call('GET', forKeys, { headers: { Cookie } });
    expect(empty.headers.get('www-authenticate')).toBe(none.headers.get('www-authenticate'));
    expect(empty.body).toEqual({ ...none.body, requestId: empty.body.requestId as string });
    expect(await ask(forKeys, { key, headers: { Cookie } })).toBe('403 permission_denied');
    expect(await ask(forKeys, { headers: { Cookie: `${Cookie}; ${cookie}` } })).toBe(200);
  });

  test.each(rows)('%s: %#', async (_what, send, path, answer) => {
    expect(await ask(path, send())).toBe(answer);
  });
});

test('members may all but manage keys, write senders and webhooks, and export', () => {
  const denied = permissions.filter((permission) => !roleAllows('member', permission));
  expect(denied).toEqual([
    'contacts:export',
    'bulk:export',
    'analytics:export',
    'sender-ids:write',
    'webhooks:write',
  ]);
  for (const role of ['owner', 'admin'] as const) {
    for (const permission of [...permissions, 'organization:manage', 'organization:member']) {
      expect(roleAllows(role, permission)).toBe(true);
    }
    expect(roleAllows(role, 'admin')).toBe(false);
  }
  expect(roleAllows('member', 'organization:manage')).toBe(false);
  expect(roleAllows('member', 'organization:member')).toBe(true);
});
