import { startTestApi, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { createOrganization, makeAdministrator, signUp, type Person } from '../helpers/people.ts';
import { createTenant } from '../helpers/tenants.ts';

let db: TestDatabase;
let api: TestApi;
let administrator: Person;
let owner: Person;
let organizationId: string;

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database });
  [administrator, owner] = [await signUp(api), await signUp(api)];
  await makeAdministrator(db, administrator);
  await makeAdministrator(db, await signUp(api));
  ({ organizationId } = await createOrganization(owner));
});
afterAll(async () => {
  await api.stop();
  await db.drop();
});

const upper = (id: string) => id.toUpperCase();

test('ids are read in either case: in the path, the query and the body of every encoding', async () => {
  const key = { name: 'K', environment: 'test', permissions: ['messages:read'] };
  const made = await owner.call('POST', '/api/v1/api-keys/', {
    json: { ...key, organizationId: upper(organizationId) },
  });
  expect(made.body.organizationId).toBe(organizationId);
  const path = `/api/v1/api-keys/${upper(made.body.id as string)}`;
  for (const encoding of ['json', 'form', 'multipart'] as const) {
    const fields = { organizationId: upper(organizationId), name: encoding };
    expect((await owner.call('PATCH', path, { [encoding]: fields })).body.name).toBe(encoding);
  }
  const listed = await owner.call('GET', `/api/v1/api-keys/?limit=5&organizationId=${upper(organizationId)}`);
  expect(listed.body.data).toHaveLength(1);
  const members = await owner.get(`/organization/list-members?organizationId=${upper(organizationId)}`);
  expect(members.body.total).toBe(1);
  const events = await administrator.call('GET', `/api/v1/admin/audit-events?actorId=${upper(owner.userId)}`);
  expect(events.body.data.length).toBeGreaterThan(0);
  const sessions = await administrator.post('/admin/list-user-sessions', { userId: upper(owner.userId) });
  const sessionToken = upper(sessions.body.sessions[0].id as string);
  await administrator.post('/admin/revoke-user-session', { sessionToken });
  expect((await owner.get('/get-session')).body).toBeNull();
});

test.each<[what: string, write: (id: string) => string]>([
  ['in upper case', upper],
  ['without hyphens', (id) => id.replaceAll('-', '')],
  ['in braces', (id) => `{${id}}`],
])('an administrator does not ban himself by his id %s', async (_what, write) => {
  const answer = await administrator.post('/admin/ban-user', { userId: write(administrator.userId) });
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect((await administrator.get('/list-accounts')).status).toBe(200);
});

test('what is no id of ours stays as it was sent', async () => {
  const key = await (await createTenant(db.database)).createKey();
  const reference = upper(administrator.userId);
  const json = { to: '0911234567', text: reference, metadata: { orderId: reference } };
  const sent = await api.call('POST', '/api/v1/messages', { key, json });
  expect(sent.body).toMatchObject({ text: reference, metadata: { orderId: reference } });
});
