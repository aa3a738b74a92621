import { randomUUID } from 'node:crypto';
import { startTestApi, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { createOrganization, problemOf, signUp, type Person } from '../helpers/people.ts';

let db: TestDatabase;
let api: TestApi;
let owner: Person;
let organizationId: string;

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database });
  owner = await signUp(api);
  ({ organizationId } = await createOrganization(owner));
});
afterAll(async () => {
  await api.stop();
  await db.drop();
});

const invite = async (email: string, role = 'member') => {
  const { status, body } = await owner.post('/organization/invite-member', { email, role, organizationId });
  expect(status).toBe(200);
  return body.id as string;
};
const answerTo = (person: Person, action: string, invitationId: string) =>
  person.post(`/organization/${action}-invitation`, { invitationId });
const membersOf = (person: Person) => db.query('select 1 from members where user_id = ?', [person.userId]);

test('an invitation has the shape of the specification, and its mail goes to the address', async () => {
  const email = `${randomUUID()}@example.com`;
  const { body } = await owner.post('/organization/invite-member', { email, role: 'admin', organizationId });
  expect(Object.keys(body).toSorted()).toEqual(
    ['createdAt', 'email', 'expiresAt', 'id', 'inviterId', 'organizationId', 'role', 'status'].toSorted(),
  );
  expect(body).toMatchObject({
    email,
    role: 'admin',
    status: 'pending',
    inviterId: owner.userId,
    organizationId,
  });
  expect(api.mails.findLast(({ to }) => to === email)!.text).toContain(body.id);
});

test('whoever has confirmed the address finds the invitation, accepts it and is a member', async () => {
  const person = await signUp(api);
  const invitationId = await invite(person.email, 'admin');
  const { body: list } = await person.get('/organization/list-user-invitations');
  expect(list).toMatchObject([{ id: invitationId, organizationName: 'Acme', status: 'pending' }]);
  const { body } = await answerTo(person, 'accept', invitationId);
  expect(body).toMatchObject({
    invitation: { status: 'accepted' },
    member: { userId: person.userId, role: 'admin' },
  });
  expect((await person.get('/organization/list')).body).toMatchObject([{ id: organizationId }]);
  expect((await person.get('/get-session')).body.session.activeOrganizationId).toBe(organizationId);
});

test.each<[what: string, end: (person: Person, id: string) => Promise<unknown>, code: string]>([
  ['accepted', (person, id) => answerTo(person, 'accept', id), 'invitation_accepted'],
  ['rejected', (person, id) => answerTo(person, 'reject', id), 'invitation_rejected'],
  ['cancelled', (_person, id) => answerTo(owner, 'cancel', id), 'invitation_canceled'],
  [
    'expired',
    (_person, id) =>
      db.query(`update invitations set expires_at = now() - interval '1 second' where id = ?`, [id]),
    'invitation_expired',
  ],
])('an invitation that was %s is of no more use, and its code says why', async (_what, end, code) => {
  const person = await signUp(api);
  const id = await invite(person.email);
  await end(person, id);
  const before = await membersOf(person);
  for (const [who, action] of [
    [person, 'accept'],
    [person, 'reject'],
    [owner, 'cancel'],
  ] as const) {
    expect({ action, ...problemOf(await answerTo(who, action, id)) }).toEqual({ action, status: 409, code });
  }
  expect(await membersOf(person)).toEqual(before);
});

test('an invitation is for its address alone', async () => {
  const [person, other] = [await signUp(api), await signUp(api)];
  const id = await invite(person.email);
  for (const action of ['accept', 'reject']) {
    expect(problemOf(await answerTo(other, action, id))).toEqual({
      status: 403,
      code: 'you_are_not_the_recipient_of_the_invitation',
    });
  }
  expect(problemOf(await other.get(`/organization/get-invitation?id=${id}`))).toMatchObject({ status: 403 });
  expect(problemOf(await answerTo(other, 'cancel', id))).toEqual({ status: 404, code: 'not_found' });
  expect(await membersOf(other)).toEqual([]);
});

test('an address that was not confirmed is nobody’s: its invitations are neither shown nor accepted', async () => {
  const person = await signUp(api, { confirm: false });
  const id = await invite(person.email);
  for (const answer of [
    await person.get('/organization/list-user-invitations'),
    await answerTo(person, 'accept', id),
    await answerTo(person, 'reject', id),
  ]) {
    expect(problemOf(answer)).toEqual({ status: 403, code: 'email_not_verified' });
  }
});

test('accepted many times at once, an invitation makes one member', async () => {
  const person = await signUp(api);
  const id = await invite(person.email);
  const answers = await Promise.all([1, 2, 3, 4, 5].map(() => answerTo(person, 'accept', id)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  for (const { status } of answers) expect([200, 404, 409]).toContain(status);
  expect(await membersOf(person)).toHaveLength(1);
});

test('two invitations of one person make one member', async () => {
  const person = await signUp(api);
  const ids = [await invite(person.email)];
  await db.query(`update invitations set expires_at = now() - interval '1 second' where id = ?`, [ids[0]]);
  ids.push(await invite(person.email));
  await db.query(`update invitations set expires_at = now() + interval '1 hour' where id = ?`, [ids[0]]);
  const answers = await Promise.all(ids.map((id) => answerTo(person, 'accept', id)));
  expect(answers.map(problemOf)).toContainEqual({ status: 409, code: 'already_exists' });
  expect(await membersOf(person)).toHaveLength(1);
});

test('a second invitation of an address, and one of a member, are refused', async () => {
  const person = await signUp(api);
  const body = { email: person.email, role: 'member', organizationId };
  const id = await invite(person.email);
  expect(problemOf(await owner.post('/organization/invite-member', body))).toEqual({
    status: 409,
    code: 'already_exists',
  });
  await answerTo(person, 'accept', id);
  expect(problemOf(await owner.post('/organization/invite-member', body))).toEqual({
    status: 409,
    code: 'already_exists',
  });
});
