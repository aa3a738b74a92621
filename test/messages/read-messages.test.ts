import { startTestApi, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { createTenant, type Tenant } from '../helpers/tenants.ts';

let db: TestDatabase;
let api: TestApi;
let tenant: Tenant;
let live: string;
let testKey: string;
let ids: string[];

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database });
  tenant = await createTenant(db.database);
  live = await tenant.createKey();
  testKey = await tenant.createKey({ environment: 'test' });
  ids = [];
  for (let index = 0; index < 7; index += 1) {
    const json = { to: '0911234567', text: `No. ${index}` };
    const answer = await api.call('POST', '/api/v1/messages', { key: live, json });
    ids.unshift(answer.body.id as string);
  }
});

afterAll(async () => {
  await api.stop();
  await db.drop();
});

test('a list goes from the newest to the oldest, page by page, each message once', async () => {
  const seen: string[] = [];
  let cursor = '';
  do {
    const { status, body } = await api.call('GET', `/api/v1/messages?limit=3${cursor}`, { key: live });
    expect(status).toBe(200);
    expect(body.pagination.limit).toBe(3);
    seen.push(...body.data.map((message: { id: string }) => message.id));
    cursor = body.pagination.nextCursor === null ? '' : `&cursor=${body.pagination.nextCursor}`;
  } while (cursor);
  expect(seen).toEqual(ids);
});

test('a page that ends with the last message has no next one', async () => {
  const { body } = await api.call('GET', '/api/v1/messages?limit=7', { key: live });
  expect(body.data).toHaveLength(7);
  expect(body.pagination).toEqual({ limit: 7, nextCursor: null });
});

test('without a limit it is 50', async () => {
  const { body } = await api.call('GET', '/api/v1/messages', { key: live });
  expect(body.pagination).toEqual({ limit: 50, nextCursor: null });
});

test.each(['0', '-1', '201', '1000', '5.5', 'ten', '1e2', ' 5', '٥'])(
  'a limit of %j is refused',
  async (limit) => {
    const { status, body } = await api.call('GET', `/api/v1/messages?limit=${encodeURIComponent(limit)}`, {
      key: live,
    });
    expect({ status, code: body.code, path: body.errors?.[0]?.path }).toEqual({
      status: 400,
      code: 'invalid_request',
      path: '/query/limit',
    });
  },
);

test.each(['limit=1&limit=2', 'limit[a]=1', 'cursor=nonsense', 'colour=red'])(
  'the query %s is refused',
  async (query) => {
    const { status, body } = await api.call('GET', `/api/v1/messages?${query}`, { key: live });
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'invalid_request' });
  },
);

test('a key sees its own environment only', async () => {
  const { body } = await api.call('GET', '/api/v1/messages', { key: testKey });
  expect(body.data).toEqual([]);
  expect((await api.call('GET', `/api/v1/messages/${ids[0]}`, { key: testKey })).status).toBe(404);
});

test('what is another organization’s answers like what does not exist, but for the request id', async () => {
  const stranger = await (await createTenant(db.database)).createKey();
  const paths = [
    `/api/v1/messages/${ids[0]}`,
    '/api/v1/messages/019aa3c0-1f4e-7a51-8f0a-5d1a2d0c9b11',
    '/api/v1/messages/no-uuid',
    '/api/v1/messages/%F0%9F%98%80',
    `/api/v1/messages?organizationId=${tenant.organizationId}`,
    '/api/v1/messages?organizationId=no-uuid',
    `/api/v1/messages/${ids[0]}?organizationId=${tenant.organizationId}`,
  ];
  const bodies = new Set<string>();
  for (const path of paths) {
    const { status, body } = await api.call('GET', path, { key: stranger });
    expect({ path, status }).toEqual({ path, status: 404 });
    bodies.add(JSON.stringify({ ...body, requestId: '' }));
  }
  expect(bodies.size).toBe(1);
});

test('its own organization may be named', async () => {
  const { status } = await api.call(
    'GET',
    `/api/v1/messages/${ids[0]}?organizationId=${tenant.organizationId}`,
    {
      key: live,
    },
  );
  expect(status).toBe(200);
});
