import { v7 as uuidv7 } from 'uuid';
import { selectCounts } from '../../src/security-codes/count-codes.ts';
import { startTestApi, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { problemOf } from '../helpers/people.ts';
import { countRowsRead } from '../helpers/rows-read.ts';
import { createTenant, type Tenant } from '../helpers/tenants.ts';

let db: TestDatabase;
let api: TestApi;
let tenant: Tenant;
let key: string;
const now = new Date('2026-11-21T12:00:00Z');

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database, now: () => now });
});

afterAll(async () => {
  await api.stop();
  await db.drop();
});

beforeEach(async () => {
  tenant = await createTenant(db.database);
  key = await tenant.createKey();
});

/** Stores a code with its message. */
async function store(
  status: string,
  options: {
    at?: string;
    recipient?: string;
    delivered?: boolean;
    environment?: string;
    expiresAt?: string;
  } = {},
): Promise<void> {
  const { at = '2026-11-21T08:00:00Z', recipient = '+251911234567', environment = 'live' } = options;
  const messageId = uuidv7();
  await db.query(
    `insert into messages (id, organization_id, environment, sender, recipient, text, encoding, segments, status,
        metadata, created_at, valid_until)
      values (?, ?, ?, 'ACME', ?, 'x', 'gsm7', 1, ?, '{}', ?, now())`,
    [
      messageId,
      tenant.organizationId,
      environment,
      recipient,
      options.delivered === false ? 'failed' : 'delivered',
      at,
    ],
  );
  await db.query(
    `insert into security_codes (id, organization_id, environment, purpose, recipient, code_hash, status, max_attempts,
        message_id, created_at, expires_at)
      values (?, ?, ?, ?, ?, '', ?, 5, ?, ?, ?)`,
    [
      ...[uuidv7(), tenant.organizationId, environment, uuidv7(), recipient, status, messageId, at],
      options.expiresAt ?? '2026-11-21T12:10:00Z',
    ],
  );
}

const read = async (query: string, by = key) =>
  (await api.call('GET', `/api/v1/analytics/security-codes${query}`, { key: by })).body;
const none = {
  ...{ codes: 0, delivered: 0, verified: 0, expired: 0, blocked: 0, superseded: 0, pending: 0 },
  conversionRate: null,
};

test('codes are counted by what became of them, by day in the zone of the organization, and by country', async () => {
  await store('verified');
  await store('verified', { recipient: '+447911123456' });
  await store('expired', { delivered: false });
  // Expired at the moment, though no worker has recorded it yet.
  await store('pending', { expiresAt: '2026-11-21T11:00:00Z' });
  await store('pending');
  await store('max_attempts_reached', { recipient: '+14155550100' });
  // 23:30 in Addis Ababa, of the day before.
  await store('superseded', { at: '2026-11-20T20:30:00Z' });
  await store('verified', { environment: 'test' });
  const { totals, daily, countries, timezone } = await read('?from=2026-11-19');
  expect(timezone).toBe('Africa/Addis_Ababa');
  expect(totals).toEqual({
    ...{ codes: 7, delivered: 6, verified: 2, expired: 2, blocked: 1, superseded: 1, pending: 1 },
    conversionRate: 2 / 6,
  });
  expect(daily).toEqual([
    { date: '2026-11-19', counts: none },
    { date: '2026-11-20', counts: { ...none, codes: 1, delivered: 1, superseded: 1, conversionRate: 0 } },
    { date: '2026-11-21', counts: expect.objectContaining({ codes: 6, verified: 2 }) },
  ]);
  expect(
    (countries as { callingCode: string; counts: { codes: number } }[]).map(({ callingCode, counts }) => [
      callingCode,
      counts.codes,
    ]),
  ).toEqual(
    expect.arrayContaining([
      ['251', 5],
      ['44', 1],
      ['1', 1],
    ]),
  );
  expect(countries[0]).toMatchObject({ callingCode: '251' });
  const testKey = await tenant.createKey({ environment: 'test' });
  expect((await read('', testKey)).totals).toMatchObject({ codes: 1, verified: 1, conversionRate: 1 });
});

test.each([
  ['?from=2026-08-01&to=2026-11-21', 'range_too_long'],
  ['?from=2026-11-22', 'out_of_order'],
])('a range that no report can have, %s, is refused', async (query, code) => {
  const answer = await api.call('GET', `/api/v1/analytics/security-codes${query}`, { key });
  expect(problemOf(answer)).toEqual({ status: 400, code: 'invalid_request' });
  expect(answer.body.errors).toEqual([expect.objectContaining({ code })]);
});

test('a report reads the codes of its days only', async () => {
  for (let day = 1; day <= 20; day += 1)
    for (let index = 0; index < 20; index += 1)
      await store('expired', { at: `2026-10-${String(day).padStart(2, '0')}T08:00:00Z` });
  await store('verified');
  await db.query('analyze security_codes');
  const days = [new Date('2026-11-20T21:00:00Z'), new Date('2026-11-21T21:00:00Z')];
  const { organizationId } = tenant;
  const statement = selectCounts({ organizationId, visibleEnvironments: ['live', 'test'] }, days, now);
  expect((await read('?from=2026-11-21')).totals).toMatchObject({ codes: 1 });
  expect(await countRowsRead(db.database, 'security_codes', statement)).toBeLessThan(10);
});
