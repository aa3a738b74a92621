import { startTestApi, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { createOrganization, problemOf, signUp } from '../helpers/people.ts';
import { createTenant } from '../helpers/tenants.ts';

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

const message = { to: '0911234567', text: 'Selam' };
const countMessages = async (): Promise<number> =>
  Number((await db.query<{ count: string }>('select count(*) as count from messages'))[0]!.count);

test('a session sends live messages unless it asks for a test message, which may use the sender TEST', async () => {
  const person = await signUp(api);
  const { organizationId } = await createOrganization(person);
  const tried = { ...message, organizationId, environment: 'test' };

  const estimate = await person.call('POST', '/api/v1/messages/estimate', { json: tried });
  expect(estimate.body).toMatchObject({ environment: 'test', from: 'TEST', wouldBeRefused: null });
  const sent = await person.call('POST', '/api/v1/messages', { json: tried });
  expect([sent.status, sent.body.environment, sent.body.from]).toEqual([202, 'test', 'TEST']);

  // Without an approved sender, nothing is sent live.
  const live = await person.call('POST', '/api/v1/messages', { json: { ...message, organizationId } });
  expect(problemOf(live)).toEqual({ status: 422, code: 'sender_required' });
});

test.each(['live', 'test'] as const)(
  'a %s key sends messages of its own environment only',
  async (environment) => {
    const tenant = await createTenant(db.database);
    const key = await tenant.createKey({ environment });
    const other = environment === 'live' ? 'test' : 'live';
    const before = await countMessages();

    const refused = await api.call('POST', '/api/v1/messages', {
      key,
      json: { ...message, environment: other },
    });
    expect(problemOf(refused)).toEqual({ status: 403, code: 'permission_denied' });
    expect(await countMessages()).toBe(before);

    const sent = await api.call('POST', '/api/v1/messages', { key, json: { ...message, environment } });
    expect([sent.status, sent.body.environment]).toEqual([202, environment]);
  },
);
