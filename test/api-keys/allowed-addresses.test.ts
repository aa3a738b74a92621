import { isAllowedAddress, readAllowedAddresses, toRanges } from '../../src/api-keys/allowed-addresses.ts';
import { startTestApi, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { createOrganization, signUp, type Person } from '../helpers/people.ts';

let db: TestDatabase;
let api: TestApi;
let behindProxy: TestApi;
let owner: Person;
let organizationId: string;

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database, liveKeyDays: 90 });
  behindProxy = await startTestApi({ database: db.database, trustProxy: 1 });
  owner = await signUp(api);
  ({ organizationId } = await createOrganization(owner));
});

afterAll(async () => {
  await api.stop();
  await behindProxy.stop();
  await db.drop();
});

const createKey = (fields: object) =>
  owner.call('POST', '/api/v1/api-keys', {
    json: { organizationId, name: 'k', environment: 'live', permissions: ['messages:read'], ...fields },
  });

test.each([
  ['203.0.113.7', ['203.0.113.7'], true],
  ['203.0.113.8', ['203.0.113.7'], false],
  ['203.0.113.255', ['203.0.113.0/24'], true],
  ['203.0.114.0', ['203.0.113.0/24'], false],
  ['::ffff:203.0.113.9', ['203.0.113.0/24'], true],
  ['2001:db8::1', ['203.0.113.0/24', '2001:db8::/48'], true],
  ['2001:db8:1::1', ['2001:db8::/48'], false],
  ['203.0.113.9', ['2001:db8::/48'], false],
  ['2001:db8::1', ['0.0.0.0/0'], false],
  ['203.0.113.9', ['0.0.0.0/0'], true],
  ['', ['0.0.0.0/0', '::/0'], false],
  [undefined, ['0.0.0.0/0', '::/0'], false],
])('%s is among %j: %s', (address, allowed, expected) => {
  expect(isAllowedAddress(toRanges(allowed), address)).toBe(expected);
  expect(isAllowedAddress(null, address)).toBe(true);
});

test.each([
  ...['example.com', '10.1', '010.0.0.1', '0x7f.1', '10.0.0.0/33', '10.0.0.1/24', '10.0.0.0/', '/8', '**'],
  ...[
    '2001:db8::/129',
    '2001:db8::1/64',
    'fe80::1%eth0',
    '::ffff:10.0.0.0/104',
    '10.0.0.0/8 ',
    '10.0.0.0/-1',
  ],
])('%j is no address and no network, and makes no key', async (text) => {
  expect(() => readAllowedAddresses([text])).toThrow('not an IP address or a network');
  const before = await db.query('select from api_keys');
  const { status, body } = await createKey({ allowedAddresses: ['10.0.0.0/8', text] });
  expect([status, body.code]).toEqual([400, 'invalid_request']);
  expect(body.errors[0]).toMatchObject({ path: '/body/allowedAddresses/1', code: 'wrong_format' });
  expect(await db.query('select from api_keys')).toHaveLength(before.length);
});

test('a key is refused elsewhere, wherever it is sent, and used from its addresses', async () => {
  const { body } = await createKey({ allowedAddresses: ['203.0.113.0/24', '203.0.113.0/24'] });
  expect(body.allowedAddresses).toEqual(['203.0.113.0/24']);
  const { key } = body as { key: string };
  const refused = [
    await api.call('GET', '/api/v1/messages', { key }),
    await api.call('GET', '/api/v1/messages', { session: key }),
    await api.call('GET', '/api/v1/messages', { headers: { Cookie: `apiKeyCookie=${key}` } }),
    // Without a trusted proxy the header is the caller's own claim.
    await api.call('GET', '/api/v1/messages', { key, headers: { 'X-Forwarded-For': '203.0.113.5' } }),
  ];
  for (const answer of refused) {
    expect([answer.status, answer.body.code]).toEqual([403, 'address_not_allowed']);
    expect(answer.body.detail).toContain('127.0.0.1');
  }
  const forwarded = (address: string) =>
    behindProxy.call('GET', '/api/v1/messages', { key, headers: { 'X-Forwarded-For': address } });
  expect((await forwarded('203.0.113.5')).status).toBe(200);
  // A caller may write addresses before the one that the proxy adds.
  expect((await forwarded('203.0.113.5, 198.51.100.1')).status).toBe(403);
});

test('the addresses of a key are changed and lifted for the next request on, and stand in the audit log', async () => {
  const { body } = await createKey({});
  expect(body.allowedAddresses).toBeNull();
  const change = async (allowedAddresses: string[] | null) => {
    const path = `/api/v1/api-keys/${body.id}`;
    const answer = await owner.call('PATCH', path, { json: { organizationId, allowedAddresses } });
    expect(answer.body).toMatchObject({ allowedAddresses });
    return (await api.call('GET', '/api/v1/messages', { key: body.key })).status;
  };
  expect(await change(['203.0.113.1'])).toBe(403);
  expect(await change(['127.0.0.1', '::1'])).toBe(200);
  expect(await change(['203.0.113.1'])).toBe(403);
  expect(await change(null)).toBe(200);
  const [event] = await db.query<{ row: string }>(
    `select details::text as row from audit_events where subject_id = ? and action = 'api_key.updated' limit 1`,
    [body.id],
  );
  expect(event!.row).toContain('allowedAddresses');
});

test.each([
  ['no addresses', []],
  ['21 addresses', Array.from({ length: 21 }, (_none, index) => `10.0.0.${index}`)],
])('%s are refused', async (_what, allowedAddresses) => {
  expect((await createKey({ allowedAddresses })).body.code).toBe('invalid_request');
});

test('a default expiry counts for live keys that name none, and for no others', async () => {
  const days = 24 * 3600_000;
  const { body } = await createKey({});
  expect(Math.abs(Date.parse(body.expiresAt as string) - Date.now() - 90 * days)).toBeLessThan(60_000);
  expect((await createKey({ environment: 'test' })).body.expiresAt).toBeNull();
  expect((await createKey({ expiresAt: '2999-01-01T00:00:00.000Z' })).body.expiresAt).toBe(
    '2999-01-01T00:00:00.000Z',
  );
});
