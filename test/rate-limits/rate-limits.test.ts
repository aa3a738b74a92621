import { createRequestCounter } from '../../src/rate-limits/count-requests.ts';
import { startTestApi, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
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
  const limits = { caller: 20, organization: 30, unauthenticated: 5 };
  for (let index = 0; index < 2; index += 1) {
    apis.push(await startTestApi({ database: db.database, rateLimits: limits, now }));
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

test('who has not signed in has a tighter limit, and it leaves those who have alone', async () => {
  const signIn = () =>
    apis[0]!.call('POST', '/api/auth/sign-in/email', {
      json: { email: 'a@example.com', password: 'x'.repeat(12) },
    });
  const answers = await Promise.all(Array.from({ length: 8 }, signIn));
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(3);
  expect((await list(await tenant.createKey(), 0)).status).toBe(200);
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
  const limited = [{ subject: 'key:clock', limit: 10 }];
  await ahead.count(limited);
  await behind.count(limited);
  expect((await ahead.count(limited)).remaining).toBe(7);
  ahead.stop();
  behind.stop();
});
