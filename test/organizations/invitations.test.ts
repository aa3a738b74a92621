import { randomUUID } from 'node:crypto';
import { startTestApi, type Answer, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { createOrganization, makeAdministrator, problemOf, signUp, type Person } from '../helpers/people.ts';

let db: TestDatabase;
let api: TestApi;
let owner: Person;
let organizationId: string;
let administrator: Person;

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database });
  owner = await signUp(api);
  ({ organizationId } = await createOrganization(owner));
  administrator = await signUp(api);
  await makeAdministrator(db, administrator);
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
const invitationsOf = (email: string) =>
  db.query('select id, status from invitations where email = ? order by id', [email]);
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

test.each<
  [
    what: string,
    invites: 'owner' | 'admin' | 'member',
    end: (by: Person, memberId: string) => Promise<Answer>,
  ]
>([
  [
    'was removed',
    'owner',
    (_by, memberIdOrEmail) => owner.post('/organization/remove-member', { memberIdOrEmail, organizationId }),
  ],
  ['left', 'owner', (by) => by.post('/organization/leave', { organizationId })],
  [
    'is an admin only',
    'owner',
    (_by, memberId) =>
      owner.post('/organization/update-member-role', { memberId, role: 'admin', organizationId }),
  ],
  [
    'is a member only',
    'admin',
    (_by, memberId) =>
      owner.post('/organization/update-member-role', { memberId, role: 'member', organizationId }),
  ],
  ['was banned', 'member', (by) => administrator.post('/admin/ban-user', { userId: by.userId })],
])(
  'an invitation ends when its inviter may not give its role any more: the inviter %s',
  async (_what, role, end) => {
    const [inviter, invited] = [await signUp(api), await signUp(api)];
    await answerTo(inviter, 'accept', await invite(inviter.email, 'owner'));
    const [member] = await db.query<{ id: string }>('select id from members where user_id = ?', [
      inviter.userId,
    ]);
    const { body } = await inviter.post('/organization/invite-member', {
      email: invited.email,
      role,
      organizationId,
    });
    expect((await end(inviter, member!.id)).status).toBe(200);
    expect(problemOf(await answerTo(invited, 'accept', body.id))).toMatchObject({
      code: 'invitation_canceled',
    });
    expect((await invited.get('/organization/list-user-invitations')).body).toEqual([]);
    expect(await membersOf(invited)).toEqual([]);
    expect(await invitationsOf(invited.email)).toMatchObject([{ status: 'canceled' }]);
  },
);

test('an invitation goes on when its inviter may still give its role', async () => {
  const [inviter, invited] = [await signUp(api), await signUp(api)];
  await answerTo(inviter, 'accept', await invite(inviter.email, 'owner'));
  const [member] = await db.query<{ id: string }>('select id from members where user_id = ?', [
    inviter.userId,
  ]);
  const { body } = await inviter.post('/organization/invite-member', {
    email: invited.email,
    role: 'admin',
    organizationId,
  });
  await owner.post('/organization/update-member-role', {
    memberId: member!.id,
    role: 'admin',
    organizationId,
  });
  expect((await answerTo(invited, 'accept', body.id)).status).toBe(200);
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

/** An answer as it is compared byte for byte: all but the id of its request. */
const bytesOf = ({ status, body }: Answer) => JSON.stringify({ status, body: { ...body, requestId: '' } });

test('an invitation is for its address alone, and to a stranger it is the 404 of one that does not exist', async () => {
  const [person, other] = [await signUp(api), await signUp(api)];
  const [id, nobodys] = [await invite(person.email), randomUUID()];
  for (const state of ['pending', 'accepted']) {
    if (state === 'accepted') await answerTo(person, 'accept', id);
    for (const action of ['accept', 'reject', 'cancel']) {
      const answer = await answerTo(other, action, id);
      expect(problemOf(answer)).toEqual({ status: 404, code: 'not_found' });
      expect(bytesOf(answer)).toBe(bytesOf(await answerTo(other, action, nobodys)));
    }
    const shown = await other.get(`/organization/get-invitation?id=${id}`);
    expect(bytesOf(shown)).toBe(bytesOf(await other.get(`/organization/get-invitation?id=${nobodys}`)));
  }
  expect(await membersOf(other)).toEqual([]);
});

test('a member of the organization, who may know of the invitation, is told that it is not his', async () => {
  const person = await signUp(api);
  const id = await invite(person.email);
  const code = 'you_are_not_the_recipient_of_the_invitation';
  for (const action of ['accept', 'reject']) {
    expect(problemOf(await answerTo(owner, action, id))).toEqual({ status: 403, code });
  }
  expect(problemOf(await owner.get(`/organization/get-invitation?id=${id}`))).toEqual({ status: 403, code });
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

test('accepted many times at once, an invitation makes one member, and everyone else is told why not', async () => {
  const person = await signUp(api);
  const id = await invite(person.email);
  const answers = await Promise.all(Array.from({ length: 20 }, () => answerTo(person, 'accept', id)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  const losers = answers.filter(({ status }) => status !== 200);
  expect(losers.map(problemOf)).toEqual(losers.map(() => ({ status: 409, code: 'invitation_accepted' })));
  expect(await membersOf(person)).toHaveLength(1);
});

test('of accepting, rejecting and cancelling at once, one is done and the others are told which', async () => {
  const codes: Record<string, string> = {
    accepted: 'invitation_accepted',
    rejected: 'invitation_rejected',
    canceled: 'invitation_canceled',
  };
  for (let round = 0; round < 5; round++) {
    const person = await signUp(api);
    const id = await invite(person.email);
    const answers = await Promise.all([
      answerTo(person, 'accept', id),
      answerTo(person, 'reject', id),
      answerTo(owner, 'cancel', id),
    ]);
    const [stored] = await db.query<{ status: string }>('select status from invitations where id = ?', [id]);
    const code = codes[stored!.status]!;
    const losers = answers.filter(({ status }) => status !== 200).map(problemOf);
    expect(losers).toEqual([
      { status: 409, code },
      { status: 409, code },
    ]);
    expect(await membersOf(person)).toHaveLength(stored!.status === 'accepted' ? 1 : 0);
  }
});

test('an invitation that cannot make a member stays open', async () => {
  const person = await signUp(api);
  const id = await invite(person.email);
  await db.query(
    `insert into members (id, organization_id, user_id, role, created_at) values (gen_random_uuid(), ?, ?, 'member', now())`,
    [organizationId, person.userId],
  );
  expect(problemOf(await answerTo(person, 'accept', id))).toEqual({ status: 409, code: 'already_exists' });
  expect(await membersOf(person)).toHaveLength(1);
  expect(await invitationsOf(person.email)).toEqual([{ id, status: 'pending' }]);
});

test('an address invited many times at once has one open invitation', async () => {
  const email = `${randomUUID()}@example.com`;
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      owner.post('/organization/invite-member', {
        email: index % 2 === 0 ? email : email.toUpperCase(),
        role: 'member',
        organizationId,
      }),
    ),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  const losers = answers.filter(({ status }) => status !== 200);
  expect(losers.map(problemOf)).toEqual(losers.map(() => ({ status: 409, code: 'already_exists' })));
  expect(await invitationsOf(email)).toMatchObject([{ status: 'pending' }]);
  await expect(
    db.query(
      `insert into invitations select gen_random_uuid(), organization_id, upper(email), role, status, expires_at, inviter_id, created_at
      from invitations where email = ?`,
      [email],
    ),
  ).rejects.toMatchObject({ code: '23505' });
});

test('an invitation that has expired does not keep the address from being invited again', async () => {
  const person = await signUp(api);
  const first = await invite(person.email);
  await db.query(`update invitations set expires_at = now() - interval '1 second' where id = ?`, [first]);
  const body = { email: person.email, role: 'member', organizationId };
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => owner.post('/organization/invite-member', body)),
  );
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(4);
  const second = answers.find(({ status }) => status === 200)!.body.id as string;
  expect(await invitationsOf(person.email)).toEqual([
    { id: first, status: 'expired' },
    { id: second, status: 'pending' },
  ]);
  expect(problemOf(await answerTo(person, 'accept', first))).toEqual({
    status: 409,
    code: 'invitation_expired',
  });
  const listed = await owner.get(`/organization/list-invitations?organizationId=${organizationId}`);
  expect(listed.body).toContainEqual(expect.objectContaining({ id: first, status: 'expired' }));
  expect((await answerTo(person, 'accept', second)).status).toBe(200);
});

test('whoever may not invite leaves an expired invitation as it is', async () => {
  const [stranger, invited] = [await signUp(api), await signUp(api)];
  const id = await invite(invited.email);
  await db.query(`update invitations set expires_at = now() - interval '1 second' where id = ?`, [id]);
  const member = await signUp(api);
  await answerTo(member, 'accept', await invite(member.email));
  const body = { email: invited.email, role: 'member', organizationId };
  expect((await stranger.post('/organization/invite-member', body)).status).toBe(404);
  expect((await member.post('/organization/invite-member', body)).status).toBe(403);
  expect(await invitationsOf(invited.email)).toEqual([{ id, status: 'pending' }]);
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

test('an invitation is sent again with the role it has, and with no other', async () => {
  const email = `${randomUUID()}@example.com`;
  const id = await invite(email, 'member');
  const again = (role: string) =>
    owner.post('/organization/invite-member', {
      email: email.toUpperCase(),
      role,
      organizationId,
      resend: true,
    });
  const other = await again('admin');
  expect(problemOf(other)).toEqual({ status: 409, code: 'already_exists' });
  expect(other.body.detail).toBe(
    'An open invitation with the role member exists. Cancel it first to invite with another role.',
  );
  expect(api.mails.filter(({ to }) => to === email)).toHaveLength(1);
  expect((await again('member')).body).toMatchObject({ id, role: 'member', status: 'pending' });
  expect(api.mails.filter(({ to }) => to === email)).toHaveLength(2);
  await answerTo(owner, 'cancel', id);
  expect((await again('admin')).body).toMatchObject({ role: 'admin', status: 'pending' });
});

test('a member cancels no invitation, and is told what he lacks', async () => {
  const member = await signUp(api);
  await answerTo(member, 'accept', await invite(member.email));
  const answer = await answerTo(member, 'cancel', await invite(`${randomUUID()}@example.com`));
  expect(problemOf(answer)).toEqual({ status: 403, code: 'permission_denied' });
  expect(answer.body.detail).toBe('The role member lacks the permission organization:manage.');
});
