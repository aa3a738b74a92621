import { auditActions } from '../../src/audit/audit-event.entity.ts';
import { loadContract } from '../../src/http/contract/contract.ts';
import { startTestApi, type Answer, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { createOrganization, makeAdministrator, problemOf, signUp, type Person } from '../helpers/people.ts';

let db: TestDatabase;
let api: TestApi;
let owner: Person;
let administrator: Person;
let organizationId: string;
let elsewhereId: string;

/** Lines as they were made, oldest first: what was done, by whom, and the administrator behind it. */
const made: [action: string, actor: string, impersonatedBy: string | undefined][] = [];

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database });
  const [first, second, third, user] = await Promise.all([
    signUp(api),
    signUp(api),
    signUp(api),
    signUp(api),
  ]);
  [owner, administrator] = [first, third];
  await makeAdministrator(db, administrator);
  ({ organizationId } = await createOrganization(owner));
  elsewhereId = (await createOrganization(second)).organizationId;

  const inviting = { email: 'guest@example.com', role: 'member' };
  await owner.post('/organization/invite-member', { ...inviting, organizationId });
  await second.post('/organization/invite-member', { ...inviting, organizationId: elsewhereId });
  const key = await owner.call('POST', '/api/v1/api-keys', {
    json: { organizationId, name: 'k', environment: 'test', permissions: ['messages:read'] },
  });
  await administrator.post('/admin/set-role', { userId: user.userId, role: 'user' });
  await administrator.post('/admin/ban-user', { userId: user.userId });
  await administrator.post('/admin/unban-user', { userId: user.userId });
  const { body } = await administrator.post('/admin/impersonate-user', { userId: owner.userId });
  await api.call('DELETE', `/api/v1/api-keys/${key.body.id}?organizationId=${organizationId}`, {
    session: body.session.token as string,
  });
  made.push(
    ['invitation.created', owner.userId, undefined],
    ['invitation.created', second.userId, undefined],
    ['api_key.created', owner.userId, undefined],
    ['user.role_changed', administrator.userId, undefined],
    ['user.banned', administrator.userId, undefined],
    ['user.unbanned', administrator.userId, undefined],
    ['user.impersonated', administrator.userId, undefined],
    ['api_key.revoked', owner.userId, administrator.userId],
  );
});
afterAll(async () => {
  await api.stop();
  await db.drop();
});

const list = (query: string) => administrator.call('GET', `/api/v1/admin/audit-events${query}`);
// oxlint-disable-next-line typescript/no-explicit-any -- bodies are held against openapi.yaml
const lineOf = ({ action, actor, details }: any) => [action, actor.id, details.impersonatedBy];

test('administrators see the events of every organization and of the platform, newest first', async () => {
  const { status, body } = await list('');
  expect(status).toBe(200);
  expect(body.data.map(lineOf)).toEqual(made.toReversed());
  expect(body.data.map((event: { organizationId: string | null }) => event.organizationId)).toEqual([
    ...[organizationId, null, null, null, null, organizationId, elsewhereId, organizationId],
  ]);
  expect(body.pagination).toEqual({ limit: 50, nextCursor: null });
});

test.each<[what: string, query: () => string, lines: number[]]>([
  ['an organization', () => `?organizationId=${organizationId}`, [7, 2, 0]],
  ['a kind of event', () => '?action=invitation.created', [1, 0]],
  ['an actor', () => `?actorId=${owner.userId}`, [7, 2, 0]],
  ['an administrator, in others’ names too', () => `?actorId=${administrator.userId}`, [7, 6, 5, 4, 3]],
  [
    'all of these',
    () => `?actorId=${administrator.userId}&organizationId=${organizationId}&action=api_key.revoked`,
    [7],
  ],
  ['an actor that is nobody', () => `?actorId=${encodeURIComponent("x' or true --")}`, []],
  ['an organization that is none', () => '?organizationId=019aa3c1-7d7b-7c9e-9d55-0c6a52f5b3aa', []],
])('the list can be narrowed to %s', async (_what, query, lines) => {
  expect((await list(query())).body.data.map(lineOf)).toEqual(lines.map((index) => made[index]));
});

test.each<[what: string, query: () => string, lines: number[]]>([
  ['all of them', () => '', [7, 6, 5, 4, 3, 2, 1, 0]],
  ['those of one actor', () => `&actorId=${administrator.userId}`, [7, 6, 5, 4, 3]],
])('pages go through %s, each event once', async (_what, query, lines) => {
  const seen: unknown[] = [];
  let cursor: string | null = null;
  do {
    const after: string = cursor === null ? '' : `&cursor=${cursor}`;
    const { body }: Answer = await list(`?limit=2${query()}${after}`);
    expect(body.data.length).toBeLessThanOrEqual(2);
    seen.push(...body.data.map(lineOf));
    cursor = body.pagination.nextCursor as string | null;
  } while (cursor !== null);
  expect(seen).toEqual(lines.map((index) => made[index]));
});

test.each([
  ['limit=0', '/query/limit'],
  ['limit=201', '/query/limit'],
  ['cursor=nonsense', '/query/cursor'],
  ['organizationId=x', '/query/organizationId'],
  ['action=user.deleted', '/query/action'],
  ['actor=x', '/query/actor'],
])('%s is refused with the field it is about', async (query, path) => {
  const answer = await list(`?${query}`);
  expect(problemOf(answer)).toEqual({ status: 400, code: 'invalid_request' });
  expect(answer.body.errors).toMatchObject([{ path }]);
});

test('nobody but an administrator reads it', async () => {
  for (const [caller, status, code] of [
    [owner.call, 403, 'permission_denied'],
    [api.call, 401, 'unauthenticated'],
  ] as const) {
    expect(problemOf(await caller('GET', '/api/v1/admin/audit-events'))).toEqual({ status, code });
  }
});

test('the interface names every action of the log', () => {
  expect(loadContract().resolve({ $ref: '#/components/schemas/AuditAction' })).toMatchObject({
    enum: auditActions,
  });
});

test.each([
  [`organization_id = '019aa3c1-7d7b-7c9e-9d55-0c6a52f5b3aa'`, 'audit_events_list'],
  [`action = 'user.banned'`, 'audit_events_action'],
  [`actor_id = 'x'`, 'audit_events_actor'],
  [`details ->> 'impersonatedBy' = 'x'`, 'audit_events_impersonator'],
])('what is asked of %s is read from %s, not from the whole log', async (condition, index) => {
  await db.query(`
    insert into audit_events select gen_random_uuid(), gen_random_uuid(), now(), 'user', n::text, 'member.removed', n::text, '{}'
    from generate_series(1, 5000) n`);
  await db.query('analyze audit_events');
  const plan = await db.query(
    `explain select * from audit_events where ${condition} order by id desc limit 51`,
  );
  expect(JSON.stringify(plan)).toContain(index);
});
