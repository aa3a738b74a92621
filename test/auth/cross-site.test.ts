import { startTestApi, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { password, problemOf, signUp } from '../helpers/people.ts';
import { createTenant } from '../helpers/tenants.ts';

const trusted = 'https://console.example.com';

let db: TestDatabase;
let api: TestApi;
let key: string;
let sessionCookie: string;
let organizationId: string;

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database, auth: { trustedOrigins: [trusted] } });
  const tenant = await createTenant(db.database);
  ({ organizationId } = tenant);
  key = await tenant.createKey();
  const person = await signUp(api);
  await db.query(
    `insert into members (id, organization_id, user_id, role, created_at) values (gen_random_uuid(), ?, ?, 'owner', now())`,
    [organizationId, person.userId],
  );
  const { headers } = await api.call('POST', '/api/auth/sign-in/email', {
    json: { email: person.email, password },
  });
  sessionCookie = headers.getSetCookie()[0]!.split(';')[0]!;
});

afterAll(async () => {
  await api.stop();
  await db.drop();
});

type Headers = Record<string, string>;
const callers: [what: string, headers: Headers, passes: boolean][] = [
  ['a program, which says nothing of itself', {}, true],
  ['a trusted page', { Origin: trusted }, true],
  ['a trusted page on another site', { Origin: trusted, 'Sec-Fetch-Site': 'cross-site' }, true],
  ['our own page', { 'Sec-Fetch-Site': 'same-origin' }, true],
  ['the user himself', { 'Sec-Fetch-Site': 'none' }, true],
  ['a page of which only Referer tells, trusted', { Referer: `${trusted}/send?a=b` }, true],
  ['another site', { Origin: 'https://evil.example' }, false],
  ['another site that claims more in Referer', { Origin: 'https://evil.example', Referer: trusted }, false],
  ['a page without an origin', { Origin: 'null' }, false],
  ['a site that hides its origin', { 'Sec-Fetch-Site': 'cross-site' }, false],
  ['a neighbour on the same site', { 'Sec-Fetch-Site': 'same-site' }, false],
  ['a site of which only Referer tells', { Referer: 'https://evil.example/' }, false],
  ['one whose name begins like ours', { Referer: `${trusted}.evil.example/` }, false],
  ['a Referer that is no URL', { Referer: 'evil' }, false],
];

const carriers: [what: string, cookie: () => string][] = [
  ['a key', () => `apiKeyCookie=${key}`],
  ['a session', () => sessionCookie],
];

describe.each(carriers)('a cookie with %s', (_carrier, cookie) => {
  test.each(callers)('from %s', async (_what, headers, passes) => {
    const send = (method: string, json?: object) =>
      api.call(method, '/api/v1/messages', { headers: { Cookie: cookie(), ...headers }, json });
    const before = await db.query('select id from messages');
    const answer = await send('POST', { to: '0911234567', text: 'x', organizationId });
    if (passes) expect(answer.status).toBe(202);
    else expect(problemOf(answer)).toEqual({ status: 403, code: 'invalid_origin' });
    expect(await db.query('select id from messages')).toHaveLength(before.length + (passes ? 1 : 0));
    expect((await send('GET')).status).toBe(200);
  });
});

test('a key in a header is nobody’s but the caller’s, whatever page it came from', async () => {
  const headers = { Origin: 'https://evil.example' };
  const json = { to: '0911234567', text: 'x' };
  expect((await api.call('POST', '/api/v1/messages', { key, headers, json })).status).toBe(202);
  const bearer = { ...headers, Authorization: `Bearer ${key}` };
  expect((await api.call('POST', '/api/v1/messages', { headers: bearer, json })).status).toBe(202);
});
