import { startTestApi, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { password, signUp, type Person } from '../helpers/people.ts';
import { turnOnTwoFactor } from '../helpers/two-factor.ts';

let db: TestDatabase;
let api: TestApi;

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database, trustProxy: 1 });
});

afterAll(async () => {
  await api.stop();
  await db.drop();
});

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';

function signIn({ email }: Person, from: { address: string; agent: string }, fields: object = {}) {
  const headers = { 'X-Forwarded-For': from.address, 'User-Agent': from.agent };
  return api.call('POST', '/api/auth/sign-in/email', { headers, json: { email, password, ...fields } });
}

const mailsTo = ({ email }: Person) =>
  api.mails.filter(({ to, subject }) => to === email && subject === 'New sign-in to your account');

test('a mail tells of a sign-in from a new network or a new program, once each', async () => {
  const person = await signUp(api);
  const steps: [address: string, agent: string, mails: number][] = [
    ['203.0.113.1', firefox, 1],
    ['203.0.113.1', firefox, 1],
    ['203.0.113.1', firefox.replaceAll('128', '140'), 1],
    ['2001:db8::1', firefox, 2],
    ['2001:db8::2', firefox, 2],
    ['2001:db8:0:1::1', firefox, 3],
    ['203.0.113.1', 'curl/8.5.0', 4],
  ];
  for (const [address, agent, mails] of steps) {
    expect((await signIn(person, { address, agent })).status).toBe(200);
    expect(mailsTo(person)).toHaveLength(mails);
  }
  const { text } = mailsTo(person).at(-1)!;
  expect(text).toContain('203.0.113.1');
  expect(text).not.toMatch(/https?:/);
});

test('the first sign-in of an account that has none noted sends no mail', async () => {
  const person = await signUp(api);
  await db.query('delete from known_devices where user_id = ?', [person.userId]);
  expect((await signIn(person, { address: '203.0.113.9', agent: firefox })).status).toBe(200);
  expect(mailsTo(person)).toEqual([]);
});

test('a refused sign-in notes nothing and sends no mail, also with the right password', async () => {
  const person = await signUp(api);
  const { recoveryCodes } = await turnOnTwoFactor(person);
  const from = { address: '203.0.113.20', agent: firefox };
  const noted = async () =>
    (await db.query('select from known_devices where user_id = ?', [person.userId])).length;
  const before = await noted();
  expect((await signIn(person, from, { password: 'not this one' })).status).toBe(401);
  expect((await signIn(person, from)).status).toBe(403);
  expect([await noted(), mailsTo(person).length]).toEqual([before, 0]);
  expect((await signIn(person, from, { code: recoveryCodes[0] })).status).toBe(200);
  expect([await noted(), mailsTo(person).length]).toEqual([before + 1, 1]);
});

test('neither address nor program can be read from what is stored', async () => {
  const person = await signUp(api);
  await signIn(person, { address: '203.0.113.30', agent: firefox });
  const rows = JSON.stringify(await db.query('select known_devices::text as row from known_devices'));
  for (const word of ['203.0.113.30', 'Firefox']) {
    expect(rows).not.toContain(word);
    expect(rows).not.toContain(Buffer.from(word).toString('hex'));
  }
});
