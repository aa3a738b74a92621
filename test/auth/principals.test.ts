import { roleAllows, permissions } from '../../src/auth/permissions.ts';
import { startTestApi, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { signUp, type Person } from '../helpers/people.ts';
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
