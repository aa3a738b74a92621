import { startTestApi, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import {
  createOrganization,
  makeAdministrator,
  password,
  problemOf,
  signIn,
  signUp,
  type Person,
} from '../helpers/people.ts';

let db: TestDatabase;
let api: TestApi;
let administrator: Person;

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database });
  administrator = await signUp(api);
  await makeAdministrator(db, administrator);
});
afterAll(async () => {
  await api.stop();
  await db.drop();
});

test('a ban ends every live session with `banned`, and its end gives them back', async () => {
  const person = await signUp(api);
  const second = await signIn(api, person.email);
  const banned = await administrator.post('/admin/ban-user', { userId: person.userId, banReason: 'spam' });
  expect(banned.body.user).toMatchObject({ banned: true, banReason: 'spam' });
  expect(banned.body.user).not.toHaveProperty('banExpires');
  for (const session of [person, second]) {
    for (const path of ['/get-session', '/list-accounts', '/organization/list']) {
      expect({ path, ...problemOf(await session.get(path)) }).toEqual({ path, status: 403, code: 'banned' });
    }
  }
  const json = { email: person.email, password };
  expect(problemOf(await api.call('POST', '/api/auth/sign-in/email', { json }))).toEqual({
    status: 403,
    code: 'banned',
  });
  expect((await administrator.post('/admin/unban-user', { userId: person.userId })).body.user.banned).toBe(
    false,
  );
  expect((await person.get('/list-accounts')).status).toBe(200);
});

test('a ban that has run out is none', async () => {
  const person = await signUp(api);
  const { body } = await administrator.post('/admin/ban-user', { userId: person.userId, banExpiresIn: 3600 });
  expect(body.user.banExpires).toMatch(/^\d{4}-.*\.\d{3}Z$/);
  expect((await person.get('/list-accounts')).status).toBe(403);
  await db.query(`update users set ban_expires = now() - interval '1 second' where id = ?`, [person.userId]);
  expect((await person.get('/list-accounts')).status).toBe(200);
  expect((await signIn(api, person.email)).userId).toBe(person.userId);
});

test('a user whose ban has run out reads as one who is not banned, before and after the next sign-in', async () => {
  const person = await signUp(api);
  const { body } = await administrator.post('/admin/ban-user', {
    ...{ userId: person.userId, banReason: 'spam', banExpiresIn: 3600 },
  });
  const find = async () => (await administrator.get(`/admin/get-user?id=${person.userId}`)).body as unknown;
  expect(await find()).toMatchObject({ banned: true, banReason: 'spam', banExpires: body.user.banExpires });
  await db.query(`update users set ban_expires = now() - interval '1 second' where id = ?`, [person.userId]);
  const list = `/admin/list-users?searchField=email&searchValue=${person.email}`;
  const read = async () => [
    await find(),
    (await administrator.get(list)).body.users[0] as unknown,
    (await person.get('/get-session')).body.user as unknown,
  ];
  const json = { email: person.email, password };
  const seen = await read();
  seen.push((await api.call('POST', '/api/auth/sign-in/email', { json })).body.user, ...(await read()));
  for (const user of seen) {
    expect(user).toMatchObject({ id: person.userId, banned: false });
    expect(user).not.toHaveProperty('banReason');
    expect(user).not.toHaveProperty('banExpires');
  }
});

const adminCalls: [method: string, path: string, body: object | null][] = [
  ['GET', '/admin/list-users', null],
  ['GET', '/admin/get-user?id=', null],
  ['POST', '/admin/create-user', { email: 'new@example.com', name: 'New', password, role: 'admin' }],
  ['POST', '/admin/set-role', { role: 'admin' }],
  ['POST', '/admin/ban-user', {}],
  ['POST', '/admin/unban-user', {}],
  ['POST', '/admin/impersonate-user', {}],
  ['POST', '/admin/list-user-sessions', {}],
  ['POST', '/admin/revoke-user-sessions', {}],
];
test.each(adminCalls)(
  '%s %s is for administrators of the service, not for owners of organizations',
  async (method, path, body) => {
    const [owner, other] = [await signUp(api), await signUp(api)];
    await createOrganization(owner);
    const json = body && { userId: other.userId, ...body };
    const address = `/api/auth${path}${path.endsWith('=') ? other.userId : ''}`;
    const answer = await owner.call(method, address, json ? { json } : {});
    expect(problemOf(answer)).toEqual({ status: 403, code: 'permission_denied' });
    expect(problemOf(await api.call(method, address, json ? { json } : {}))).toEqual({
      status: 401,
      code: 'unauthenticated',
    });
  },
);

test('administrators list users, without anything secret, and find them', async () => {
  const person = await signUp(api, { name: 'Haile' });
  const { body } = await administrator.get(
    `/admin/list-users?limit=5&searchField=email&searchValue=${person.email}`,
  );
  expect(body).toMatchObject({ total: 1, users: [{ id: person.userId, name: 'Haile' }] });
  expect(JSON.stringify(body)).not.toMatch(/password|token/i);
  expect((await administrator.get(`/admin/get-user?id=${person.userId}`)).body).toEqual(body.users[0]);
});

test.each([
  ['email', 'contains', 'AILE.Gebre'],
  ['email', 'starts_with', 'Haile.'],
  ['email', 'ends_with', 'Searched.Example.com'],
  [undefined, undefined, 'HAILE.gebre@SEARCHED.example.com'],
])('a search for an address compares without case: %s %s %s', async (searchField, searchOperator, text) => {
  await db.query('delete from users where email = ?', ['haile.gebre@searched.example.com']);
  const person = await signUp(api, { email: 'haile.gebre@searched.example.com' });
  const query = new URLSearchParams({
    ...(searchField !== undefined && { searchField }),
    ...(searchOperator !== undefined && { searchOperator }),
    searchValue: text,
  });
  const { body } = await administrator.get(`/admin/list-users?${String(query)}`);
  expect(body).toMatchObject({ total: 1, users: [{ id: person.userId }] });
});

test.each([
  ['%', 'contains'],
  ['%', 'starts_with'],
  ['_', 'ends_with'],
  ['\\', 'contains'],
])('nothing in a search for users is a wildcard: %s %s', async (sign, operator) => {
  const find = async (text: string) => {
    const query = new URLSearchParams({ searchField: 'name', searchOperator: operator, searchValue: text });
    const { body } = await administrator.get(`/admin/list-users?${String(query)}`);
    return (body.users as { id: string }[]).map(({ id }) => id);
  };
  await signUp(api, { name: 'Haile' });
  expect(await find(sign)).toEqual([]);
  const person = await signUp(api, { name: `${sign}Haile${sign}` });
  expect(await find(sign)).toEqual([person.userId]);
  await db.query(`update users set name = 'Haile' where id = ?`, [person.userId]);
});

test.each([
  ['0', 400],
  ['1', 200],
  ['100', 200],
  ['101', 400],
  ['-1', 400],
])('a page of users has 1 to 100: %s', async (limit, status) => {
  expect((await administrator.get(`/admin/list-users?limit=${limit}`)).status).toBe(status);
});

test('a role on the platform is one of two', async () => {
  const person = await signUp(api);
  const set = (role: unknown) => administrator.post('/admin/set-role', { userId: person.userId, role });
  for (const role of ['owner', 'admin,user', ' admin', ['admin'], ''])
    expect((await set(role)).status).toBe(400);
  expect((await set('admin')).body.user.role).toBe('admin');
  expect((await person.get('/admin/list-users?limit=1')).status).toBe(200);
  await set('user');
  expect((await person.get('/admin/list-users?limit=1')).status).toBe(403);
});

test('impersonation is a session that says who is behind it, for an hour, and never of an administrator', async () => {
  const person = await signUp(api);
  const { body } = await administrator.post('/admin/impersonate-user', { userId: person.userId });
  expect(body.session).toMatchObject({ userId: person.userId, impersonatedBy: administrator.userId });
  expect(new Date(body.session.expiresAt as string).getTime()).toBeLessThanOrEqual(Date.now() + 3_600_000);
  const shown = await api.call('GET', '/api/auth/get-session', { session: body.session.token as string });
  expect(shown.body.session.impersonatedBy).toBe(administrator.userId);

  const other = await signUp(api);
  await makeAdministrator(db, other);
  expect(problemOf(await administrator.post('/admin/impersonate-user', { userId: other.userId }))).toEqual({
    status: 403,
    code: 'you_cannot_impersonate_admins',
  });
});

test('nobody bans himself, and what does not exist is a 404', async () => {
  expect((await administrator.post('/admin/ban-user', { userId: administrator.userId })).status).toBe(400);
  for (const userId of ['no-uuid', '019aa3c1-7d7b-7c9e-9d55-0c6a52f5b3aa']) {
    for (const action of ['ban-user', 'unban-user', 'impersonate-user', 'set-role', 'list-user-sessions']) {
      const answer = await administrator.post(`/admin/${action}`, {
        userId,
        ...(action === 'set-role' && { role: 'user' }),
      });
      expect({ action, userId, ...problemOf(answer) }).toEqual({
        action,
        userId,
        status: 404,
        code: 'not_found',
      });
    }
  }
});

describe('the service keeps an administrator', () => {
  let only: Person;
  beforeEach(async () => {
    only = await signUp(api);
    await makeAdministrator(db, only);
    await db.query(`update users set role = 'user' where role = 'admin' and id <> ?`, [only.userId]);
  });
  afterAll(() => makeAdministrator(db, administrator));

  const administrators = () =>
    db.query(
      `select id from users where role = 'admin' and not (banned and coalesce(ban_expires > now(), true))`,
    );

  test('who is not demoted, not even by himself', async () => {
    const demote = () => only.post('/admin/set-role', { userId: only.userId, role: 'user' });
    expect(problemOf(await demote())).toEqual({ status: 409, code: 'last_administrator' });
    expect((await only.get('/admin/list-users?limit=1')).status).toBe(200);
    const second = await signUp(api);
    await only.post('/admin/set-role', { userId: second.userId, role: 'admin' });
    expect((await demote()).status).toBe(200);
  });

  test.each(['set-role', 'ban-user'])(
    'also when two end each other by %s at the same moment',
    async (action) => {
      const second = await signUp(api);
      await makeAdministrator(db, second);
      const end = (by: Person, { userId }: Person) =>
        by.post(`/admin/${action}`, { userId, ...(action === 'set-role' && { role: 'user' }) });
      const answers = await Promise.all([end(only, second), end(second, only)]);
      expect(await administrators()).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      // Who comes later is told of the last administrator, or is none himself any more.
      const [refused] = answers.filter(({ status }) => status !== 200);
      expect(['last_administrator', 'permission_denied', 'banned', 'unauthenticated']).toContain(
        refused!.body.code,
      );
    },
  );

  test('exactly, of two demotions under way in the database', async () => {
    const second = await signUp(api);
    await makeAdministrator(db, second);
    const demote = ({ userId }: Person) => db.query(`update users set role = 'user' where id = ?`, [userId]);
    for (let round = 0; round < 10; round += 1) {
      const results = await Promise.allSettled([demote(only), demote(second)]);
      expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      expect(await administrators()).toHaveLength(1);
      await makeAdministrator(db, only);
      await makeAdministrator(db, second);
    }
  });

  test.each([
    ['removed', 'delete from users where id = ?'],
    ['banned for good', 'update users set banned = true where id = ?'],
    [
      'banned for a time',
      `update users set banned = true, ban_expires = now() + interval '1 day' where id = ?`,
    ],
  ])('who is not %s', async (_what, statement) => {
    await expect(db.query(statement, [only.userId])).rejects.toThrow(
      'the service would be left without an administrator',
    );
    expect(await administrators()).toEqual([{ id: only.userId }]);
  });

  test('and a banned one is none', async () => {
    const second = await signUp(api);
    await makeAdministrator(db, second);
    await only.post('/admin/ban-user', { userId: second.userId });
    expect(problemOf(await only.post('/admin/set-role', { userId: only.userId, role: 'user' }))).toEqual({
      status: 409,
      code: 'last_administrator',
    });
    await db.query(`update users set ban_expires = now() - interval '1 second' where id = ?`, [
      second.userId,
    ]);
    expect((await only.post('/admin/set-role', { userId: only.userId, role: 'user' })).status).toBe(200);
  });
});
