/** What a page of another origin may do: docs/security.md, "Origins and credentials of browsers". */
import { startTestApi, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { createTenant } from '../helpers/tenants.ts';
import { signUp } from '../helpers/people.ts';

const trusted = 'https://app.example.com';

let db: TestDatabase;
let api: TestApi;
let key: string;

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database, auth: { trustedOrigins: [trusted] } });
  key = await (await createTenant(db.database)).createKey();
});

afterAll(async () => {
  await api.stop();
  await db.drop();
});

const own = (): string => new URL(api.baseUrl).origin;
const allowing = ['access-control-allow-origin', 'access-control-allow-credentials'];

test.each([
  ['a stranger', () => 'https://evil.example'],
  ['an opaque origin', () => 'null'],
  ['a trusted origin', () => trusted],
  ['the own origin', own],
])('no response lets %s read it, with or without credentials', async (_who, originOf) => {
  const Origin = originOf();
  const { token } = await signUp(api);
  const preflight = {
    Origin,
    'Access-Control-Request-Method': 'POST',
    'Access-Control-Request-Headers': 'x-api-key',
  };
  const answers = [
    await api.call('GET', '/health', { headers: { Origin } }),
    await api.call('GET', '/openapi.yaml', { headers: { Origin } }),
    await api.call('GET', '/docs/api', { headers: { Origin } }),
    await api.call('GET', '/api/v1/messages', { key, headers: { Origin } }),
    await api.call('GET', '/api/v1/messages', { headers: { Origin } }),
    await api.call('GET', '/api/auth/get-session', { session: token, headers: { Origin } }),
    await api.call('POST', '/api/auth/sign-in/email', { headers: { Origin }, json: {} }),
    await api.call('OPTIONS', '/api/v1/messages', { headers: preflight }),
    await api.call('OPTIONS', '/api/auth/sign-in/email', { headers: preflight }),
  ];
  for (const { headers } of answers) {
    expect(allowing.map((name) => headers.get(name))).toEqual([null, null]);
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
  }
});
