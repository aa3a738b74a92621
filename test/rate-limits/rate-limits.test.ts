import { randomUUID } from 'node:crypto';
import type { TrustedProxies } from '../../src/config.ts';
import { createRequestCounter, type Counted } from '../../src/rate-limits/count-requests.ts';
import { startTestApi, type Answer, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { password } from '../helpers/people.ts';
import { until } from '../helpers/until.ts';
import { createTenant, type Tenant } from '../helpers/tenants.ts';
import { pino } from 'pino';

let db: TestDatabase;
let tenant: Tenant;
let nowMs = Date.parse('2026-11-21T08:00:10.000Z');
const now = () => new Date(nowMs);
const apis: TestApi[] = [];

beforeAll(async () => {
  db = await createTestDatabase();
  tenant = await createTenant(db.database);
  const limits = {
    caller: 20,
    organization: 30,
    unauthenticated: 5,
    account: 3,
    accountFromStrangers: 6,
    mailsToAddressPerDay: 7,
  };
  for (let index = 0; index < 2; index += 1) {
    apis.push(await startTestApi({ database: db.database, rateLimits: limits, trustProxy: 1, now }));
  }
});

afterAll(async () => {
  for (const api of apis) await api.stop();
  await db.drop();
});

/** The next minute: everyone's limit is whole again. */
beforeEach(() => {
  nowMs += 60_000;
});

const list = (key: string, index: number) => apis[index % 2]!.call('GET', '/api/v1/messages', { key });

test('a key has its limit, exactly, over all processes and however many call at once', async () => {
  const key = await tenant.createKey();
  const answers = await Promise.all(Array.from({ length: 35 }, (_, index) => list(key, index)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(15);
  expect(refused[0]!.body).toMatchObject({ code: 'rate_limited', status: 429 });
  expect(refused[0]!.headers.get('retry-after')).toBe('50');
  expect(refused[0]!.headers.get('ratelimit-remaining')).toBe('0');
});

test('every answer tells what is left, and the next minute begins anew', async () => {
  const key = await tenant.createKey();
  const first = await list(key, 0);
  expect([...['limit', 'remaining', 'reset'].map((name) => first.headers.get(`ratelimit-${name}`))]).toEqual([
    '20',
    '19',
    '50',
  ]);
  await Promise.all(Array.from({ length: 25 }, (_, index) => list(key, index)));
  expect((await list(key, 0)).status).toBe(429);
  nowMs += 60_000;
  expect((await list(key, 1)).status).toBe(200);
});

test('an organization has its limit over all of its keys, and no other organization feels it', async () => {
  const keys = [await tenant.createKey(), await tenant.createKey()];
  const answers = await Promise.all(Array.from({ length: 40 }, (_, index) => list(keys[index % 2]!, index)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(30);
  const neighbour = await (await createTenant(db.database)).createKey();
  expect((await list(neighbour, 0)).status).toBe(200);
});

test('what a key is refused uses up nothing of its organization', async () => {
  const runaway = await tenant.createKey();
  const refused = await Promise.all(Array.from({ length: 45 }, (_, index) => list(runaway, index)));
  expect(refused.filter(({ status }) => status === 200)).toHaveLength(20);
  const other = await tenant.createKey();
  const answers = await Promise.all(Array.from({ length: 15 }, (_, index) => list(other, index)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
});

test('who has not signed in has a tighter limit, and it leaves those who have alone', async () => {
  const signIn = (account: number) =>
    apis[0]!.call('POST', '/api/auth/sign-in/email', {
      json: { email: `${account}@example.com`, password: 'x'.repeat(12) },
    });
  const answers = await Promise.all(Array.from({ length: 8 }, (_, index) => signIn(index)));
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(3);
  expect((await list(await tenant.createKey(), 0)).status).toBe(200);
});

test.each([
  ['verify-email', '/api/auth/verify-email?token=guessed'],
  ['reset-password', '/api/auth/reset-password/guessed?callbackURL=%2F'],
  ['callback', '/api/auth/callback/google?state=guessed'],
])('%s takes only so many tokens from one address', async (name, path) => {
  const headers = { 'X-Forwarded-For': `198.51.100.${name.length}` };
  const answers = await Promise.all(Array.from({ length: 8 }, () => apis[0]!.call('GET', path, { headers })));
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(3);
});

test.each([
  ['one IPv4 address, also where it is mapped into IPv6', '198.51.100.77', '::ffff:198.51.100.77'],
  ['all addresses of an IPv6 /64', '2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff'],
  ['one address in each of its spellings', '2001:db8:3:4::a', '2001:0DB8:0003:0004:0:0:0:000A'],
])('%s: one client', async (_what, address, other) => {
  const guess = (index: number) =>
    apis[index % 2]!.call('GET', '/api/auth/verify-email?token=guessed', {
      headers: { 'X-Forwarded-For': index % 2 ? address : other },
    });
  const answers = await Promise.all(Array.from({ length: 8 }, (_, index) => guess(index)));
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(3);
});

test.each([
  ['IPv4 addresses', '198.51.100.78', '198.51.100.79'],
  ['IPv6 networks of 64 bits', '2001:db8:1:3::1', '2001:db8:1:4::1'],
])('two %s: two clients', async (_what, address, other) => {
  const guess = (from: string) =>
    apis[0]!.call('GET', '/api/auth/verify-email?token=guessed', { headers: { 'X-Forwarded-For': from } });
  const answers = await Promise.all([...Array(8).fill(address), other].map((from: string) => guess(from)));
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(3);
  expect(answers.at(-1)!.status).not.toBe(429);
});

test('a refused request leaves no row', async () => {
  const key = await tenant.createKey();
  await Promise.all(Array.from({ length: 20 }, (_, index) => list(key, index)));
  const send = await apis[0]!.call('POST', '/api/v1/messages', {
    key,
    json: { to: '0911234567', text: 'x' },
  });
  expect(send.status).toBe(429);
  expect(await db.query('select id from messages')).toEqual([]);
});

test('health and the gateway’s callbacks are not limited', async () => {
  const answers = await Promise.all(Array.from({ length: 50 }, () => apis[0]!.call('GET', '/health')));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
});

test('a process whose clock is behind does not bring an old window back', async () => {
  const log = pino({ level: 'silent' });
  const ahead = createRequestCounter(db.database, log, () => new Date(nowMs + 60_000));
  const behind = createRequestCounter(db.database, log, now);
  const limited: Counted = [{ subject: 'key:clock', limit: 10 }];
  await ahead.count(limited);
  await behind.count(limited);
  expect((await ahead.count(limited)).remaining).toBe(7);
  ahead.stop();
  behind.stop();
});

test('requests that are counted together share their limits, in the order of the requests', async () => {
  const counter = createRequestCounter(db.database, pino({ level: 'silent' }), now);
  const request = (key: string, organization: string): Counted => [
    { subject: `key:${key}`, limit: 3 },
    { subject: `organization:${organization}`, limit: 4 },
  ];
  const counted: Counted[] = [
    ...Array<Counted>(3).fill(request('a', 'x')),
    // The key is refused here, so these count neither for the one organization nor for the other.
    ...Array<Counted>(2).fill(request('a', 'x')),
    request('a', 'y'),
    request('b', 'x'),
    request('b', 'x'),
    request('b', 'y'),
    [{ subject: 'key:c', limit: 9 }],
  ];
  const allowances = await Promise.all(counted.map((one) => counter.count(one)));
  counter.stop();
  expect(allowances.map(({ remaining }) => remaining)).toEqual([2, 1, 0, -1, -2, -3, 0, -1, 0, 8]);
  const used = await db.query(
    `select subject, used from rate_limit_counters
     where subject in ('organization:x', 'organization:y') order by subject`,
  );
  expect(used).toEqual([
    { subject: 'organization:x', used: 5 },
    { subject: 'organization:y', used: 1 },
  ]);
});

describe('one account', () => {
  let caller = 0;
  /** Each time from another address. */
  const post = (path: string, json: object, index = 0) => {
    caller += 1;
    const headers = { 'X-Forwarded-For': `203.0.113.${caller}` };
    return apis[index % 2]!.call('POST', `/api/auth${path}`, { json, headers });
  };
  test.each(['/request-password-reset', '/send-verification-email'])(
    'is sent only so many mails by %s',
    async (path) => {
      const email = `flooded${path.replaceAll('/', '-')}@example.com`;
      const answers = await Promise.all(Array.from({ length: 5 }, () => post(path, { email })));
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
        200, 200, 200, 429, 429,
      ]);
    },
  );

  test.each([
    ['that has an account', true],
    ['that has none', false],
  ])(
    'an address %s gets only so many mails a day, and the answers are the same',
    async (_what, hasAccount) => {
      const email = `daily-${hasAccount}@example.com`;
      const dayMs = 24 * 3_600_000;
      // Each of the days begins anew, whatever time the tests before have made of it.
      nowMs = Math.ceil(nowMs / dayMs) * dayMs + 3_600_000;
      await post('/sign-up/email', { name: 'D', email: hasAccount ? email : `not-${email}`, password });
      const answers: Answer[] = [];
      for (let index = 0; index < 10; index += 1) {
        nowMs += 60_000;
        const path = index % 2 ? '/request-password-reset' : '/send-verification-email';
        answers.push(await post(path, { email: index % 3 ? email : email.toUpperCase() }, index));
      }
      const allowed = hasAccount ? 6 : 7;
      expect(answers.map(({ status }) => status)).toEqual([
        ...Array<number>(allowed).fill(200),
        ...Array<number>(10 - allowed).fill(429),
      ]);
      const refused = answers.at(-1)!;
      expect(refused.body.code).toBe('rate_limited');
      expect(Number(refused.headers.get('retry-after'))).toBe((dayMs - (nowMs % dayMs)) / 1000);
      expect((await post('/sign-up/email', { name: 'D', email, password })).status).toBe(429);
      expect((await post('/request-password-reset', { email: `another-${email}` })).status).toBe(200);
      nowMs += dayMs;
      expect((await post('/request-password-reset', { email })).status).toBe(200);
    },
  );

  test('keeps its mails of the day, however many strangers try to sign up with its address', async () => {
    const email = 'signed-up-often@example.com';
    const mailsCounted = async () => {
      const [row] = await db.query<{ used: number }>(
        `select coalesce(sum(used), 0)::int as used from rate_limit_counters where subject like 'mails:to:%'`,
      );
      return row!.used;
    };
    const before = await mailsCounted();
    expect((await post('/sign-up/email', { name: 'S', email, password })).status).toBe(200);
    const refused = await Promise.all(
      Array.from({ length: 20 }, () => post('/sign-up/email', { name: 'S', email, password })),
    );
    for (const { status } of refused) expect([409, 429]).toContain(status);
    await until('the refused ones to count no more', async () => (await mailsCounted()) === before + 1);
    nowMs += 60_000;
    expect((await post('/request-password-reset', { email })).status).toBe(200);
  });

  test('is not guessed at by who has found it signed in, and its owner can still sign in', async () => {
    const email = 'left-open@example.com';
    const { body } = await post('/sign-up/email', { name: 'L', email, password });
    const change = (currentPassword: string) =>
      apis[0]!.call('POST', '/api/auth/change-password', {
        session: body.token as string,
        json: { currentPassword, newPassword: 'another password' },
      });
    const statuses: number[] = [];
    for (const guessed of ['wrong 1', 'wrong 2', 'wrong 3', password]) {
      statuses.push((await change(guessed)).status);
    }
    expect(statuses).toEqual([400, 400, 400, 429]);
    expect((await post('/sign-in/email', { email, password })).status).toBe(200);
    nowMs += 60_000;
    expect((await change(password)).status).toBe(200);
  });
});

describe('behind a proxy', () => {
  test.each<[what: string, trustProxy: TrustedProxies, forwarded: string, address: RegExp]>([
    ['nobody is believed unless it is asked for', false, '203.0.113.9', /127\.0\.0\.1$/],
    ['the one hop is believed, and not what it was told', 1, '198.51.100.1, 203.0.113.9', /^203\.0\.113\.9$/],
    [
      'so are proxies by their address',
      ['loopback', '203.0.113.9'],
      '198.51.100.1, 203.0.113.9',
      /^198\.51\.100\.1$/,
    ],
    ['but no others', ['10.0.0.0/8'], '203.0.113.9', /127\.0\.0\.1$/],
  ])('%s', async (_what, trustProxy, forwarded, address) => {
    const api = await startTestApi({ database: db.database, trustProxy, now });
    const json = { name: 'P', email: `${randomUUID()}@example.com`, password };
    const headers = { 'X-Forwarded-For': forwarded };
    const { body } = await api.call('POST', '/api/auth/sign-up/email', { json, headers });
    const shown = await api.call('GET', '/api/auth/get-session', { session: body.token as string });
    await api.stop();
    expect(shown.body.session.ipAddress).toMatch(address);
    const subjects = await db.query<{ subject: string }>(`select subject from rate_limit_counters`);
    const addresses = subjects.flatMap(({ subject }) => /^address:(.*)$/.exec(subject)?.[1] ?? []);
    expect(addresses.some((one) => address.test(one))).toBe(true);
  });
});
