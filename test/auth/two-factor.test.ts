import { resealTwoFactors } from '../../src/auth/two-factor/reseal-two-factors.ts';
import { createSecondFactorSealer } from '../../src/messages/sealer.ts';
import { securityCodePepper, startTestApi, type Answer, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { password, signUp, type Person } from '../helpers/people.ts';
import { prepareApp, turnOnTwoFactor } from '../helpers/two-factor.ts';

let db: TestDatabase;
let api: TestApi;

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database });
});

afterAll(async () => {
  await api.stop();
  await db.drop();
});

const signIn = ({ email }: Person, fields: object = {}): Promise<Answer> =>
  api.call('POST', '/api/auth/sign-in/email', { json: { email, password, ...fields } });

const outcome = ({ status, body }: Answer) => [status, body.code ?? null];

async function countSessions({ userId }: Person): Promise<number> {
  return (await db.query('select from sessions where user_id = ?', [userId])).length;
}

/** A code of six digits that is none of the app's. */
const wrong = (right: string[]) =>
  ['000000', '000001', '000002', '000003'].find((code) => !right.includes(code))!;

test('without a confirmed app nothing changes, and a secret that is not confirmed is replaced', async () => {
  const person = await signUp(api);
  const first = await prepareApp(person);
  const second = await prepareApp(person);
  expect((await signIn(person)).status).toBe(200);
  expect(outcome(await person.post('/two-factor/confirm', { code: first.code() }))).toEqual([
    400,
    'invalid_two_factor_code',
  ]);
  expect((await person.post('/two-factor/confirm', { code: second.code() })).status).toBe(200);
  expect((await person.get('/two-factor')).body).toEqual({ isEnabled: true, recoveryCodesLeft: 10 });
});

test('a sign-in needs a code once the app is confirmed; the refused ones leave no session and no cookie', async () => {
  const person = await signUp(api);
  const app = await turnOnTwoFactor(person);
  const before = await countSessions(person);
  const refused = [await signIn(person), await signIn(person, { code: wrong([-1, 0, 1].map(app.code)) })];
  expect(refused.map(outcome)).toEqual([
    [403, 'two_factor_required'],
    [400, 'invalid_two_factor_code'],
  ]);
  for (const { headers } of refused) {
    expect(headers.getSetCookie()).toEqual([]);
    expect(headers.get('set-auth-token')).toBeNull();
  }
  expect(outcome(await signIn(person, { password: 'not this one', code: app.code() }))).toEqual([
    401,
    'invalid_email_or_password',
  ]);
  expect(await countSessions(person)).toBe(before);
  const signedIn = await signIn(person, { code: app.code() });
  expect(signedIn.status).toBe(200);
  const session = signedIn.body.token as string;
  expect((await api.call('GET', '/api/auth/two-factor', { session })).body.isEnabled).toBe(true);
});

test('a code of the app is used once, also at the same moment, and none before it after that', async () => {
  const person = await signUp(api);
  const app = await turnOnTwoFactor(person);
  const [earlier, code] = [app.code(), app.code(1)];
  const answers = await Promise.all([1, 2, 3, 4].map(() => signIn(person, { code })));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400, 400]);
  expect(outcome(await signIn(person, { code: earlier }))).toEqual([400, 'invalid_two_factor_code']);
});

test('a recovery code signs in once, and new ones end the old ones', async () => {
  const person = await signUp(api);
  const { recoveryCodes } = await turnOnTwoFactor(person);
  const [first, second, third] = recoveryCodes as [string, string, string];
  const answers = await Promise.all([1, 2, 3].map(() => signIn(person, { code: first.toLowerCase() })));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400]);
  expect((await person.get('/two-factor')).body).toEqual({ isEnabled: true, recoveryCodesLeft: 9 });
  const renewed = await person.post('/two-factor/renew-recovery-codes', { password, code: second });
  expect(renewed.body.recoveryCodes).toHaveLength(10);
  expect((await signIn(person, { code: third })).status).toBe(400);
  expect((await signIn(person, { code: renewed.body.recoveryCodes[0] })).status).toBe(200);
});

test('it is turned off by password and code together, and then a password is enough', async () => {
  const person = await signUp(api);
  const app = await turnOnTwoFactor(person);
  const disable = (fields: object) => person.post('/two-factor/disable', fields);
  expect(outcome(await disable({ password: 'not this one', code: app.code() }))).toEqual([
    400,
    'invalid_password',
  ]);
  expect(outcome(await disable({ password, code: wrong([-1, 0, 1].map(app.code)) }))).toEqual([
    400,
    'invalid_two_factor_code',
  ]);
  expect(outcome(await person.post('/two-factor/enable', { password }))).toEqual([409, 'invalid_state']);
  expect((await signIn(person)).status).toBe(403);
  expect((await disable({ password, code: app.code() })).status).toBe(200);
  expect((await signIn(person)).status).toBe(200);
  expect(await db.query('select from recovery_codes where user_id = ?', [person.userId])).toEqual([]);
  for (const path of ['confirm', 'renew-recovery-codes']) {
    const fields = { code: app.code(1), ...(path !== 'confirm' && { password }) };
    expect(outcome(await person.post(`/two-factor/${path}`, fields))).toEqual([409, 'invalid_state']);
  }
});

test('wrong codes are limited per user and day over everything that asks for one, and right ones do not count', async () => {
  const [person, other] = [await signUp(api), await signUp(api)];
  const { recoveryCodes } = await turnOnTwoFactor(person);
  await turnOnTwoFactor(other);
  expect((await signIn(person, { code: recoveryCodes[0] })).status).toBe(200);
  const guess = (index: number): Promise<Answer> =>
    index % 2 === 0
      ? signIn(person, { code: 'WRNG-WRNG-WRNG-WRNG' })
      : person.post('/two-factor/disable', { password, code: 'WRNG-WRNG-WRNG-WRNG' });
  const answers = await Promise.all(Array.from({ length: 25 }, (_none, index) => guess(index)));
  expect(answers.filter(({ status }) => status === 400)).toHaveLength(20);
  const limited = await signIn(person, { code: recoveryCodes[1] });
  expect(outcome(limited)).toEqual([429, 'rate_limited']);
  expect(Number(limited.headers.get('Retry-After'))).toBeGreaterThan(0);
  expect(outcome(await signIn(other))).toEqual([403, 'two_factor_required']);
});

test.each([
  ['enable', {}, 'password'],
  ['enable', { password: '' }, 'password'],
  ['confirm', {}, 'code'],
  ['confirm', { code: '12345' }, 'code'],
  ['confirm', { code: '1'.repeat(25) }, 'code'],
  ['disable', { password: 'x' }, 'code'],
  ['renew-recovery-codes', { code: '123456' }, 'password'],
])('%s with %j is refused, and names %s', async (path, fields, named) => {
  const person = await signUp(api);
  const { status, body } = await person.post(`/two-factor/${path}`, fields);
  expect([status, body.code]).toEqual([400, 'invalid_request']);
  expect(JSON.stringify(body.errors)).toContain(`/body/${named}`);
  expect(await db.query('select from two_factors where user_id = ?', [person.userId])).toEqual([]);
});

test('nothing stored shows the secret or a recovery code, and another key seals the secret again', async () => {
  const person = await signUp(api);
  const { body } = await person.post('/two-factor/enable', { password });
  const secret = new URL(body.totpURI as string).searchParams.get('secret')!;
  const stored = async () =>
    (await db.query<{ sealed: string }>(
      `select encode(sealed_secret, 'base64') as sealed from two_factors where user_id = ?`,
      [person.userId],
    )) as [{ sealed: string }];
  const [{ sealed }] = await stored();
  expect(Buffer.from(sealed, 'base64').includes(secret)).toBe(false);
  const keys = [{ id: 'a', secret: 'a'.repeat(32) }];
  const renewing = createSecondFactorSealer({ pepper: securityCodePepper, keys });
  const { resealed, unreadable } = await resealTwoFactors(db.database, renewing);
  expect([resealed > 0, unreadable]).toEqual([true, 0]);
  expect(renewing.unseal(person.userId, (await stored())[0].sealed)).toBe(secret);
  expect(await resealTwoFactors(db.database, renewing)).toEqual({ resealed: 0, unreadable: 0 });
  // The API of this test knows the pepper only.
  await db.query('delete from two_factors');
});
