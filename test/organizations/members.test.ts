import { randomUUID } from 'node:crypto';
import { startTestApi, type Answer, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { createOrganization, problemOf, signUp, type Person } from '../helpers/people.ts';

let db: TestDatabase;
let api: TestApi;
let people: Record<'owner' | 'admin' | 'member' | 'stranger', Person>;
let organizationId: string;
let memberIds: Record<string, string>;

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database });
});
beforeEach(async () => {
  const [owner, admin, member, stranger] = await Promise.all([1, 2, 3, 4].map(() => signUp(api)));
  people = { owner: owner!, admin: admin!, member: member!, stranger: stranger! };
  ({ organizationId, memberIds } = await createOrganization(people.owner, [
    { person: people.admin, role: 'admin' },
    { person: people.member, role: 'member' },
  ]));
});
afterAll(async () => {
  await api.stop();
  await db.drop();
});

const rolesStored = async () => {
  const rows = await db.query<{ user_id: string; role: string }>(
    'select user_id, role from members where organization_id = ?',
    [organizationId],
  );
  return Object.fromEntries(rows.map(({ user_id, role }) => [user_id, role]));
};
const setRole = (by: Person, of: Person, role: unknown) =>
  by.post('/organization/update-member-role', { memberId: memberIds[of.userId], role, organizationId });
const remove = (by: Person, of: Person) =>
  by.post('/organization/remove-member', { memberIdOrEmail: memberIds[of.userId], organizationId });

test.each([
  ['offset=3', 0],
  ['limit=10&offset=3', 0],
  ['offset=999999999', 0],
  ['limit=10&offset=2', 1],
  ['limit=3', 3],
])('a page of members past the last one is empty, with the total: %s', async (page, count) => {
  const { status, body } = await people.member.get(
    `/organization/list-members?organizationId=${organizationId}&${page}`,
  );
  expect({ status, total: body.total as number, count: body.members?.length as number }).toEqual({
    status: 200,
    total: 3,
    count,
  });
});

test.each([
  ['0', 400],
  ['00', 400],
  ['1', 200],
  ['0001', 200],
  ['9999', 200],
  ['10000', 400],
  ['-1', 400],
])('a page of members has 1 to 9999: %s', async (limit, status) => {
  const path = `/organization/list-members?organizationId=${organizationId}&limit=${limit}`;
  expect((await people.member.get(path)).status).toBe(status);
});

test.each<[who: 'admin' | 'member', action: string, act: (who: Person) => Promise<unknown>]>([
  ['admin', 'make himself owner', (who) => setRole(who, who, 'owner')],
  ['admin', 'make another owner', (who) => setRole(who, people.member, 'owner')],
  ['admin', 'change an owner', (who) => setRole(who, people.owner, 'member')],
  ['admin', 'remove an owner', (who) => remove(who, people.owner)],
  [
    'admin',
    'remove an owner by his address',
    (who) =>
      who.post('/organization/remove-member', {
        memberIdOrEmail: people.owner.email.toUpperCase(),
        organizationId,
      }),
  ],
  ['member', 'make himself admin', (who) => setRole(who, who, 'admin')],
  ['member', 'change an owner', (who) => setRole(who, people.owner, 'member')],
  ['member', 'change an admin', (who) => setRole(who, people.admin, 'member')],
  ['member', 'remove an owner', (who) => remove(who, people.owner)],
  ['member', 'remove an admin', (who) => remove(who, people.admin)],
  [
    'member',
    'change the organization',
    (who) => who.post('/organization/update', { organizationId, data: { name: 'X' } }),
  ],
  [
    'member',
    'invite',
    (who) =>
      who.post('/organization/invite-member', { email: 'a@example.com', role: 'member', organizationId }),
  ],
  [
    'admin',
    'invite an owner',
    (who) =>
      who.post('/organization/invite-member', { email: 'a@example.com', role: 'owner', organizationId }),
  ],
])('an organization’s %s cannot %s', async (who, _action, act) => {
  const before = await rolesStored();
  const answer = (await act(people[who])) as Answer;
  expect(problemOf(answer)).toEqual({ status: 403, code: 'permission_denied' });
  expect(answer.body.detail).toMatch(
    who === 'admin'
      ? /^The role admin .* Only owners can\.$/
      : /^The role member lacks the permission organization:manage\.$/,
  );
  expect(await rolesStored()).toEqual(before);
});

// better-auth 1.7.5 compares roles of an invitation untrimmed with `owner`, yet takes them trimmed: " owner" of an
// admin would pass. The interface knows three roles, and so does the table.
test.each([' owner', 'owner ', 'admin, owner', 'Owner', 'member,owner', ['owner'], ''])(
  'an admin invites nobody as %j',
  async (role) => {
    const json = { email: `${randomUUID()}@example.com`, role, organizationId };
    for (const answer of [
      await people.admin.post('/organization/invite-member', json),
      await setRole(people.admin, people.admin, role),
    ]) {
      expect(problemOf(answer)).toEqual({ status: 400, code: 'invalid_request' });
    }
  },
);

test('the last owner can neither leave, nor step down, nor be removed', async () => {
  for (const answer of [
    await people.owner.post('/organization/leave', { organizationId }),
    await setRole(people.owner, people.owner, 'member'),
    await remove(people.owner, people.owner),
  ]) {
    expect(problemOf(answer)).toEqual({ status: 409, code: 'last_owner' });
  }
  expect((await rolesStored())[people.owner.userId]).toBe('owner');
});

test('two owners who leave at the same moment leave one behind', async () => {
  for (let round = 0; round < 10; round += 1) {
    const [first, second] = [await signUp(api), await signUp(api)];
    const shared = await createOrganization(first, [{ person: second, role: 'owner' }]);
    const answers = await Promise.all(
      [first, second].map((person) =>
        person.post('/organization/leave', { organizationId: shared.organizationId }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    const owners = await db.query(`select 1 from members where organization_id = ? and role = 'owner'`, [
      shared.organizationId,
    ]);
    expect(owners).toHaveLength(1);
  }
});

test('a user who is the last owner cannot be deleted below the API either', async () => {
  await expect(db.query('delete from users where id = ?', [people.owner.userId])).rejects.toThrow(
    'without an owner',
  );
  await db.query('delete from users where id = ?', [people.member.userId]);
  expect(Object.keys(await rolesStored())).toHaveLength(2);
});

test('a member may leave', async () => {
  expect((await people.member.post('/organization/leave', { organizationId })).status).toBe(200);
  expect((await people.member.get('/organization/list')).body).toEqual([]);
});

test('no organization is deleted, and no row of it', async () => {
  const answer = await people.owner.post('/organization/delete', { organizationId });
  expect(problemOf(answer)).toEqual({ status: 404, code: 'not_found' });
});

test('another organization is a 404, the same as one that does not exist, on every endpoint', async () => {
  const own = await createOrganization(people.stranger);
  const invitation = await people.owner.post('/organization/invite-member', {
    email: 'someone@example.com',
    role: 'member',
    organizationId,
  });
  const calls = (id: string, member: string, invitationId: string): [string, string, object?][] => [
    ['POST', '/organization/update', { organizationId: id, data: { name: 'X' } }],
    ['POST', '/organization/set-active', { organizationId: id }],
    ['GET', `/organization/get-full-organization?organizationId=${id}`],
    ['GET', `/organization/list-members?organizationId=${id}`],
    ['GET', `/organization/get-active-member-role?organizationId=${id}`],
    ['GET', `/organization/list-invitations?organizationId=${id}`],
    ['POST', '/organization/invite-member', { email: 'a@example.com', role: 'member', organizationId: id }],
    ['POST', '/organization/leave', { organizationId: id }],
    ['POST', '/organization/update-member-role', { memberId: member, role: 'owner', organizationId: id }],
    ['POST', '/organization/remove-member', { memberIdOrEmail: member, organizationId: id }],
    [
      'POST',
      '/organization/update-member-role',
      { memberId: member, role: 'owner', organizationId: own.organizationId },
    ],
    ['POST', '/organization/remove-member', { memberIdOrEmail: member, organizationId: own.organizationId }],
    ['POST', '/organization/cancel-invitation', { invitationId }],
  ];
  const unknown = '019aa3c1-7d7b-7c9e-9d55-0c6a52f5b3aa';
  const foreign = calls(organizationId, memberIds[people.member.userId]!, invitation.body.id as string);
  const missing = calls(unknown, unknown, unknown);
  const bodies = new Set<string>();
  for (const [method, path, json] of [...foreign, ...missing]) {
    const answer = await people.stranger.call(method, `/api/auth${path}`, json && { json });
    expect({ path, ...problemOf(answer) }).toEqual({ path, status: 404, code: 'not_found' });
    bodies.add(JSON.stringify({ ...answer.body, requestId: '' }));
  }
  expect(bodies.size).toBe(1);
  expect(Object.keys(await rolesStored())).toHaveLength(3);
});

test('metadata are a string in and out', async () => {
  const metadata = '{"plan":"gold"}';
  const slug = `slug-${randomUUID()}`;
  const created = await people.stranger.post('/organization/create', { name: 'Meta', slug, metadata });
  expect(created.body.metadata).toBe(metadata);
  const id = created.body.id as string;
  expect((await people.stranger.get('/organization/list')).body[0].metadata).toBe(metadata);
  const changed = await people.stranger.post('/organization/update', {
    organizationId: id,
    data: { metadata: '{"plan":"tin"}' },
  });
  expect(changed.body.metadata).toBe('{"plan":"tin"}');
  const full = await people.stranger.get(`/organization/get-full-organization?organizationId=${id}`);
  expect(full.body).toMatchObject({
    metadata: '{"plan":"tin"}',
    members: [{ role: 'owner', user: { email: people.stranger.email } }],
  });
  expect(
    (await people.stranger.post('/organization/create', { name: 'M', slug: `${slug}x`, metadata: 'no JSON' }))
      .status,
  ).toBe(400);
});

test('a slug is taken once, also at the same moment', async () => {
  const json = { name: 'S', slug: `slug-${randomUUID()}` };
  const answers = await Promise.all([1, 2, 3].map(() => people.stranger.post('/organization/create', json)));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
  expect(problemOf(await people.owner.post('/organization/create', json))).toEqual({
    status: 409,
    code: 'already_exists',
  });
});

test.each<[what: string, call: () => Promise<Answer>]>([
  ['removed by id', () => remove(people.owner, people.member)],
  [
    'removed by address',
    () =>
      people.owner.post('/organization/remove-member', {
        memberIdOrEmail: people.member.email,
        organizationId,
      }),
  ],
  ['gone by themselves', () => people.member.post('/organization/leave', { organizationId })],
])('of ten requests at once, a member is %s by one, and the audit log has one event', async (_what, call) => {
  const answers = await Promise.all(Array.from({ length: 10 }, call));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
    200,
    ...Array<number>(9).fill(404),
  ]);
  const events = await db.query(
    `select 1 from audit_events where action = 'member.removed' and organization_id = ?`,
    [organizationId],
  );
  expect(events).toHaveLength(1);
});
