import { startTestApi, type Answer, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import {
  linkMailed,
  makeAdministrator,
  password,
  problemOf,
  signUp,
  type Person,
} from '../helpers/people.ts';
import { turnOnTwoFactor } from '../helpers/two-factor.ts';

interface Event {
  id: string;
  kind: string;
  method: string | null;
  ipAddress: string | null;
  userAgent: string | null;
  administratorId: string | null;
}

let db: TestDatabase;
let api: TestApi;
let administrator: Person;

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({
    ...{ database: db.database, trustProxy: 1 },
    // The limit of the list is reached before that of the sign-in.
    rateLimits: { account: 1000, accountFromStrangers: 1000 },
  });
  administrator = await signUp(api);
  await makeAdministrator(db, administrator);
});

afterAll(async () => {
  await api.stop();
  await db.drop();
});

const signIn = ({ email }: Pick<Person, 'email'>, fields: object = {}): Promise<Answer> =>
  api.call('POST', '/api/auth/sign-in/email', {
    headers: { 'X-Forwarded-For': '203.0.113.7', 'User-Agent': `curl/8.5.0 ${'x'.repeat(400)}` },
    json: { email, password, ...fields },
  });

async function eventsOf(person: Person): Promise<Event[]> {
  const { body } = await administrator.call('GET', `/api/v1/admin/users/${person.userId}/security-events`);
  return body.data as Event[];
}

/** The kinds and methods since the sign-up, oldest first. */
const told = async (person: Person): Promise<string[]> =>
  (await eventsOf(person))
    .toReversed()
    .slice(1)
    .map(({ kind, method }) => (method === null ? kind : `${kind} ${method}`));

const changesMailed = ({ email }: Person): string[] =>
  api.mails
    .filter(({ to, subject }) => to === email && subject === 'A change to the security of your account')
    .map(({ text }) => text);

test('sign-ins, refused ones and the end of sessions are listed, with address and program', async () => {
  const person = await signUp(api);
  expect(await eventsOf(person)).toMatchObject([{ kind: 'signed_in', method: 'password' }]);
  expect((await signIn(person, { password: 'not this one' })).status).toBe(401);
  const { token } = (await signIn(person)).body as { token: string };
  await signIn({ email: person.email.toUpperCase() });
  await api.call('POST', '/api/auth/sign-out', { session: token });
  // A session ends once.
  await api.call('POST', '/api/auth/sign-out', { session: token });
  await person.post('/revoke-other-sessions');
  await person.post('/revoke-other-sessions');
  expect(await told(person)).toEqual([
    'sign_in_failed password',
    'signed_in password',
    'signed_in password',
    'signed_out',
    'session_ended',
  ]);
  const [, , signedIn] = (await eventsOf(person)).toReversed() as [Event, Event, Event];
  expect(signedIn).toMatchObject({ ipAddress: '203.0.113.7', administratorId: null });
  expect(signedIn.userAgent).toMatch(/^curl\/8\.5\.0 x+$/);
  expect(signedIn.userAgent).toHaveLength(300);
  const { body } = await person.call('GET', '/api/v1/account/security-events?limit=2');
  expect(body.data.map(({ kind }: Event) => kind)).toEqual(['session_ended', 'signed_out']);
  const next = await person.call(
    'GET',
    `/api/v1/account/security-events?limit=2&cursor=${body.pagination.nextCursor}`,
  );
  expect(next.body.data.map(({ kind }: Event) => kind)).toEqual(['signed_in', 'signed_in']);
});

test('changes of the second factor are listed with what permitted them, and mailed without a link', async () => {
  const person = await signUp(api);
  const app = await turnOnTwoFactor(person);
  await signIn(person);
  await signIn(person, { code: 'WRNG-WRNG-WRNG-WRNG' });
  await signIn(person, { code: app.code() });
  await signIn(person, { code: app.recoveryCodes[0] });
  const renewed = await person.post('/two-factor/renew-recovery-codes', {
    ...{ password, code: app.recoveryCodes[1] },
  });
  await person.post('/two-factor/disable', { password, code: renewed.body.recoveryCodes[0] });
  expect(await told(person)).toEqual([
    'two_factor_enabled',
    'sign_in_failed second_factor',
    'signed_in second_factor',
    'signed_in recovery_code',
    'recovery_codes_renewed recovery_code',
    'two_factor_disabled recovery_code',
  ]);
  const mails = changesMailed(person);
  expect(mails.map((text) => text.split('\n')[0])).toEqual([
    'Two-factor sign-in was turned on for your account.',
    'Somebody has signed in to your account with a recovery code.',
    'Your account has new recovery codes. The old ones no longer work.',
    'Two-factor sign-in was turned off for your account.',
  ]);
  expect(mails.filter((text) => /https?:/.test(text))).toEqual([]);
});

test('a new password is listed and mailed; a refused change is neither', async () => {
  const person = await signUp(api);
  const change = { newPassword: 'another correct horse', currentPassword: 'not this one' };
  expect((await person.post('/change-password', change)).status).toBe(400);
  expect(await told(person)).toEqual([]);
  expect((await person.post('/change-password', { ...change, currentPassword: password })).status).toBe(200);
  await api.call('POST', '/api/auth/request-password-reset', { json: { email: person.email } });
  const link = await linkMailed(api, person.email, '/reset-password/');
  const token = new URL(link, api.baseUrl).pathname.split('/').at(-1);
  await api.call('POST', '/api/auth/reset-password', { json: { newPassword: password, token } });
  expect(await told(person)).toEqual(['password_changed', 'password_reset']);
  expect(changesMailed(person)).toHaveLength(2);
});

test('an administrator who ends sessions is named; one who acts as the user signs nobody in or out', async () => {
  const person = await signUp(api);
  const { token } = (await signIn(person)).body as { token: string };
  const answer = await administrator.post('/admin/impersonate-user', { userId: person.userId });
  const session = answer.body.session.token as string;
  const seen = await api.call('GET', '/api/v1/account/security-events', { session });
  expect(seen.body.data).toHaveLength(2);
  await api.call('POST', '/api/auth/sign-out', { session });
  await administrator.post('/admin/revoke-user-session', { sessionToken: token });
  await administrator.post('/admin/revoke-user-sessions', { userId: person.userId });
  expect(await told(person)).toEqual(['signed_in password', 'session_ended', 'session_ended']);
  const [last, before] = await eventsOf(person);
  expect([last, before].map((event) => event?.administratorId)).toEqual(Array(2).fill(administrator.userId));
});

test('a stranger fills nothing: 20 refused sign-ins are kept in an hour, and none for an unknown address', async () => {
  const person = await signUp(api);
  const count = async () =>
    Number((await db.query<{ count: string }>('select count(*) from security_events'))[0]!.count);
  const before = await count();
  for (let attempt = 0; attempt < 23; attempt++) await signIn(person, { password: 'not this one' });
  expect(await count()).toBe(before + 20);
  const unknown = await signIn({ email: 'nobody@example.com' });
  expect(problemOf(unknown)).toEqual(problemOf(await signIn(person, { password: 'x' })));
  expect(await count()).toBe(before + 20);
  // An hour later it goes on.
  await db.query(`update security_events set at = at - interval '61 minutes' where user_id = ?`, [
    person.userId,
  ]);
  await signIn(person, { password: 'not this one' });
  expect(await count()).toBe(before + 21);
});

test('nobody reads what happened to another, and administrators know who does not exist', async () => {
  const [person, other] = [await signUp(api), await signUp(api)];
  const { body } = await person.call('GET', '/api/v1/account/security-events');
  const ids = (await eventsOf(person)).map(({ id }) => id);
  expect(body.data.map(({ id }: Event) => id)).toEqual(ids);
  const foreign = await other.call('GET', `/api/v1/admin/users/${person.userId}/security-events`);
  expect(problemOf(foreign)).toEqual({ status: 403, code: 'permission_denied' });
  for (const id of ['019aa3c1-7d7b-7c9e-9d55-0c6a52f5b3aa', 'nobody']) {
    const missing = await administrator.call('GET', `/api/v1/admin/users/${id}/security-events`);
    expect(problemOf(missing)).toEqual({ status: 404, code: 'not_found' });
  }
});
