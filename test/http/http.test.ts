import { startTestApi, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { createTenant } from '../helpers/tenants.ts';

let db: TestDatabase;
let api: TestApi;
let key: string;

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database });
  key = await (await createTenant(db.database)).createKey();
});

afterAll(async () => {
  await api.stop();
  await db.drop();
});

test('GET /health answers ok to anyone', async () => {
  const answer = await api.call('GET', '/health');
  expect({ status: answer.status, body: answer.body }).toEqual({ status: 200, body: { status: 'ok' } });
});

test.each(['/health', '/api/v1/messages'])('%s answers alike with a trailing slash', async (path) => {
  const [plain, slashed] = [await api.call('GET', path, { key }), await api.call('GET', `${path}/`, { key })];
  expect({ status: slashed.status, body: slashed.body }).toEqual({ status: 200, body: plain.body });
});

test.each(['/', '/nothing', '/api/v1', '/api/v1/messages/a/b', '/api/v1/%E0%A4%A', '/__proto__'])(
  'the unknown path %s is a problem 404 with a request id',
  async (path) => {
    const answer = await api.call('GET', path, { key });
    expect({ status: answer.status, code: answer.body.code }).toEqual({ status: 404, code: 'not_found' });
    expect(answer.body.requestId).toBe(answer.headers.get('x-request-id'));
  },
);

test('an unknown method is a 405 that names the known ones', async () => {
  const answer = await api.call('PUT', '/api/v1/messages', { key, json: {} });
  expect({ status: answer.status, code: answer.body.code, allow: answer.headers.get('allow') }).toEqual({
    status: 405,
    code: 'method_not_allowed',
    allow: 'GET, POST, HEAD, OPTIONS',
  });
});

test('OPTIONS names the methods, HEAD answers as GET without a body', async () => {
  const options = await api.call('OPTIONS', '/health');
  expect({ status: options.status, allow: options.headers.get('allow') }).toEqual({
    status: 204,
    allow: 'GET, HEAD, OPTIONS',
  });
  const head = await api.call('HEAD', '/api/v1/messages', { key });
  expect({ status: head.status, body: head.body }).toEqual({ status: 200, body: '' });
  expect(Number(head.headers.get('content-length'))).toBeGreaterThan(0);
});

test('the catalogue explains every code, and the interface is served as written', async () => {
  const errors = await api.call('GET', '/errors');
  expect(errors.status).toBe(200);
  expect(errors.body).toContain('id="invalid_recipient"');
  const contract = await api.call('GET', '/openapi.yaml');
  expect(contract.body).toContain('openapi: 3.1');
});
