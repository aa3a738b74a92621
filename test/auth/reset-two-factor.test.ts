import { startTestApi, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { makeAdministrator, password, problemOf, signIn, signUp, type Person } from '../helpers/people.ts';
import { prepareApp, turnOnTwoFactor } from '../helpers/two-factor.ts';

let db: TestDatabase;
let api: TestApi;
let administrator: Person;

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database });
  administrator = await signUp(api);
  await makeAdministrator(db, administrator);
});

afterAll(async () => {
  await api.stop();
  await db.drop();
});

const reset = (by: Person, userId: string) => by.post('/admin/reset-two-factor', { userId });

const auditOf = ({ userId }: Person) =>
  db.query<{ action: string; actor: string }>(
    `select action, actor_id as actor from audit_events where subject_id = ? and action = 'user.two_factor_reset'`,
    [userId],
  );

test('a reset leaves neither app nor codes nor sessions, and is audited, listed and mailed', async () => {
  const person = await signUp(api);
  await turnOnTwoFactor(person);
  expect((await reset(administrator, person.userId)).body).toEqual({ success: true });
  expect((await person.get('/list-sessions')).status).toBe(401);
  const again = await signIn(api, person.email);
  expect((await again.get('/two-factor')).body).toEqual({ isEnabled: false, recoveryCodesLeft: 0 });
  expect(await auditOf(person)).toEqual([{ action: 'user.two_factor_reset', actor: administrator.userId }]);
  const { body } = await again.call('GET', '/api/v1/account/security-events');
  expect(body.data[1]).toMatchObject({ kind: 'two_factor_reset', administratorId: administrator.userId });
  const mail = api.mails.findLast(({ to }) => to === person.email)!;
  expect(mail.text).toContain('An administrator has turned two-factor sign-in off for your account');
  expect(mail.text).not.toMatch(/https?:|Address:/);
});

test('of two resets at once, one succeeds, and there is one event', async () => {
  const person = await signUp(api);
  await turnOnTwoFactor(person);
  const answers = await Promise.all([1, 2, 3].map(() => reset(administrator, person.userId)));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
  expect(await auditOf(person)).toHaveLength(1);
});

test('without a confirmed app there is nothing to reset, and no session ends', async () => {
  const person = await signUp(api);
  await prepareApp(person);
  expect(problemOf(await reset(administrator, person.userId))).toEqual({
    status: 409,
    code: 'invalid_state',
  });
  expect((await person.get('/list-sessions')).status).toBe(200);
  expect(await auditOf(person)).toEqual([]);
});

test('administrators cannot reset their own, in either case of the id', async () => {
  const own = await signUp(api);
  await makeAdministrator(db, own);
  const app = await turnOnTwoFactor(own);
  for (const id of [own.userId, own.userId.toUpperCase()]) {
    expect(problemOf(await reset(own, id))).toEqual({ status: 403, code: 'permission_denied' });
  }
  const json = { email: own.email, password, code: app.code() };
  expect((await api.call('POST', '/api/auth/sign-in/email', { json })).status).toBe(200);
});

test('an administrator who acts as a user, and anybody else, resets nothing', async () => {
  const [person, other] = [await signUp(api), await signUp(api)];
  await turnOnTwoFactor(person);
  expect(problemOf(await reset(other, person.userId))).toEqual({ status: 403, code: 'permission_denied' });
  const { body } = await administrator.post('/admin/impersonate-user', { userId: other.userId });
  const session = body.session.token as string;
  const json = { userId: person.userId };
  const answer = await api.call('POST', '/api/auth/admin/reset-two-factor', { session, json });
  expect(problemOf(answer)).toEqual({ status: 403, code: 'permission_denied' });
  expect((await person.get('/two-factor')).body.isEnabled).toBe(true);
});

test.each(['019aa3c1-7d7b-7c9e-9d55-0c6a52f5b3aa', 'nobody'])('the user %s is not found', async (userId) => {
  expect(problemOf(await reset(administrator, userId))).toEqual({ status: 404, code: 'not_found' });
});
