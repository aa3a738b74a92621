import { randomUUID } from 'node:crypto';
import type { Database } from '../../src/database.ts';
import { openDatabase } from '../../src/open-database.ts';
import { startTestApi, type Answer, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { makeAdministrator, password, signIn, signUp } from '../helpers/people.ts';

const [perAddress, ofStrangers] = [3, 8];
const minuteMs = 60_000;
/** Ten seconds into a minute of today. */
const nowMs = Math.floor(Date.now() / minuteMs) * minuteMs + 10_000;
let laterMs = 0;

let db: TestDatabase;
let otherDatabase: Database;
const apis: TestApi[] = [];

beforeAll(async () => {
  db = await createTestDatabase();
  otherDatabase = await openDatabase({ url: db.url, poolSize: 10 });
  for (const database of [db.database, otherDatabase]) {
    apis.push(
      await startTestApi({
        ...{ database, trustProxy: 1, now: () => new Date(nowMs + laterMs) },
        rateLimits: { account: perAddress, accountFromStrangers: ofStrangers },
      }),
    );
  }
});

afterAll(async () => {
  for (const api of apis) await api.stop();
  await otherDatabase.close();
  await db.drop();
});

afterEach(() => {
  laterMs = 0;
});

let addresses = 0;
/** An address that nobody has used. */
const newAddress = () => `2001:db8:${(addresses += 1).toString(16)}::1`;

let calls = 0;
/** Posts to the processes in turn. */
const post = (path: string, json: object, from: string): Promise<Answer> =>
  apis[(calls += 1) % 2]!.call('POST', path, { json, headers: { 'X-Forwarded-For': from } });
const enter = (email: string, given: string, from: string) =>
  post('/api/auth/sign-in/email', { email, password: given }, from);
const guess = (email: string, from: string) => enter(email, 'wrong password', from);

/** An account, and the address from which it has a session. */
async function newAccount(): Promise<{ email: string; home: string }> {
  const [email, home] = [`${randomUUID()}@example.com`, newAddress()];
  const { status } = await post('/api/auth/sign-up/email', { name: 'A', email, password }, home);
  expect(status).toBe(200);
  return { email, home };
}

const sorted = (answers: Answer[]) => answers.map(({ status }) => status).toSorted((a, b) => a - b);

const attackers: Record<string, (email: string, home: string) => Promise<Answer[]>> = {
  'nobody else': async () => [],
  'one address': (email) => {
    const from = newAddress();
    return Promise.all(Array.from({ length: 20 }, () => guess(email, from)));
  },
  'an IPv6 network of 64 bits': (email) => {
    const network = newAddress().slice(0, -1);
    return Promise.all(Array.from({ length: 20 }, (_, index) => guess(email, `${network}${index + 1}`)));
  },
  'many addresses': (email) => Promise.all(Array.from({ length: 20 }, () => guess(email, newAddress()))),
  'many addresses at once with the address in other letters': (email) =>
    Promise.all(Array.from({ length: 20 }, () => guess(email.toUpperCase(), newAddress()))),
  'the address of the owner': (_email, home) =>
    Promise.all(Array.from({ length: 20 }, () => guess(_email, home))),
};

test.each<[who: string, guesses: number, known: number, unknown: number]>([
  ['nobody else', 0, 200, 200],
  ['one address', perAddress, 200, 200],
  ['an IPv6 network of 64 bits', perAddress, 200, 200],
  ['many addresses', ofStrangers, 200, 429],
  ['many addresses at once with the address in other letters', ofStrangers, 200, 429],
  ['the address of the owner', perAddress, 429, 200],
])(
  'while guesses come from %s: %i are let through a minute, the owner is answered %i at a known address and %i at an unknown one',
  async (who, guesses, known, unknown) => {
    const { email, home } = await newAccount();
    const answers = await attackers[who]!(email, home);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(guesses);
    for (const answer of answers.filter(({ status }) => status !== 401)) {
      expect({ status: answer.status, code: answer.body.code }).toEqual({
        status: 429,
        code: 'rate_limited',
      });
      expect(answer.headers.get('retry-after')).toBe('50');
    }
    expect((await enter(email, password, home)).status).toBe(known);
    const travelling = newAddress();
    expect((await enter(email, password, travelling)).status).toBe(unknown);
    laterMs += minuteMs;
    expect((await enter(email, password, travelling)).status).toBe(200);
  },
);

test('right passwords do not count, and wrong ones do however many right ones come between', async () => {
  const { email } = await newAccount();
  const from = newAddress();
  const statuses: number[] = [];
  for (const given of [password, 'wrong 1', password, password, 'wrong 2', password, password]) {
    statuses.push((await enter(email, given, from)).status);
  }
  expect(statuses).toEqual([200, 401, 200, 200, 401, 200, 200]);
  expect(sorted([await enter(email, 'wrong 3', from), await enter(email, 'wrong 4', from)])).toEqual([
    401, 429,
  ]);
  expect((await enter(email, password, from)).status).toBe(429);
});

test('an address that has signed out is not known any more, nor is that of an administrator who impersonates', async () => {
  const { email } = await newAccount();
  const [once, theirs] = [newAddress(), newAddress()];
  const { body } = await enter(email, password, once);
  const administrator = await signUp(apis[0]!);
  await makeAdministrator(db, administrator);
  const { token } = await signIn(apis[0]!, administrator.email);
  const impersonation = await apis[0]!.call('POST', '/api/auth/admin/impersonate-user', {
    ...{ session: token, headers: { 'X-Forwarded-For': theirs }, json: { userId: body.user.id as string } },
  });
  expect(impersonation.status).toBe(200);
  await attackers['many addresses']!(email, '');
  const again = await enter(email, password, once);
  expect(again.status).toBe(200);
  for (const session of [body.token, again.body.token] as string[]) {
    expect((await apis[0]!.call('POST', '/api/auth/sign-out', { session, json: {} })).status).toBe(200);
  }
  expect((await enter(email, password, once)).status).toBe(429);
  expect((await enter(email, password, theirs)).status).toBe(429);
});

test('an account that does not exist is answered like one that does', async () => {
  const email = `${randomUUID()}@example.com`;
  const answers = await attackers['many addresses']!(email, '');
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(ofStrangers);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(20 - ofStrangers);
});

test('neither account nor address is named by what is counted for them', async () => {
  await guess('private@example.com', '2001:db8:abcd::1');
  const rows = await db.query<{ subject: string }>(
    `select subject from rate_limit_counters where subject like 'account:signIn:%'`,
  );
  expect(rows.length).toBeGreaterThan(0);
  expect(JSON.stringify(rows)).not.toMatch(/private|example|abcd/);
});
