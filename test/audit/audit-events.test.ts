import { startTestApi, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { signUp, type Person } from '../helpers/people.ts';

let db: TestDatabase;
let api: TestApi;
let owner: Person;
let organizationId: string;

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database });
  owner = await signUp(api);
  const made = await owner.post('/organization/create', { name: 'Acme', slug: 'acme' });
  organizationId = made.body.id as string;
});

afterAll(async () => {
  await api.stop();
  await db.drop();
});

test('members coming, going and changing their roles are in the log, with who did it', async () => {
  const guest = await signUp(api);
  const invite = await owner.post('/organization/invite-member', {
    email: guest.email,
    role: 'member',
    organizationId,
  });
  await guest.post('/organization/accept-invitation', { invitationId: invite.body.id });
  const members = await owner.get(`/organization/list-members?organizationId=${organizationId}`);
  const member = members.body.members.find(({ userId }: { userId: string }) => userId === guest.userId);
  await owner.post('/organization/update-member-role', {
    memberId: member.id,
    role: 'admin',
    organizationId,
  });
  await owner.post('/organization/remove-member', { memberIdOrEmail: member.id, organizationId });
  const second = await owner.post('/organization/invite-member', {
    email: guest.email,
    role: 'member',
    organizationId,
  });
  await guest.post('/organization/reject-invitation', { invitationId: second.body.id });
  const third = await owner.post('/organization/invite-member', {
    email: guest.email,
    role: 'member',
    organizationId,
  });
  await owner.post('/organization/cancel-invitation', { invitationId: third.body.id });
  // One that is refused leaves no line.
  await owner.post('/organization/cancel-invitation', { invitationId: third.body.id });

  const { body } = await owner.call('GET', `/api/v1/audit-events?organizationId=${organizationId}`);
  const lines = body.data.map(({ action, actor, subjectId }: any) => [action, actor.id, subjectId]);
  expect(body.data[0].actor).toMatchObject({ kind: 'user', name: expect.stringMatching(/./) });
  expect(lines.toReversed()).toEqual([
    ['invitation.created', owner.userId, invite.body.id],
    ['invitation.accepted', guest.userId, invite.body.id],
    ['member.role_changed', owner.userId, member.id],
    ['member.removed', owner.userId, member.id],
    ['invitation.created', owner.userId, second.body.id],
    ['invitation.rejected', guest.userId, second.body.id],
    ['invitation.created', owner.userId, third.body.id],
    ['invitation.cancelled', owner.userId, third.body.id],
  ]);
});

test('a change of a member names the member, the user and the role, whoever makes it', async () => {
  const [guest, other] = [await signUp(api), await signUp(api)];
  const memberIds: string[] = [];
  for (const person of [guest, other]) {
    const invite = await owner.post('/organization/invite-member', {
      ...{ email: person.email, role: 'member', organizationId },
    });
    const accepted = await person.post('/organization/accept-invitation', { invitationId: invite.body.id });
    memberIds.push(accepted.body.member.id as string);
  }
  const [guestMember, otherMember] = memberIds;
  await owner.post('/organization/update-member-role', {
    ...{ memberId: guestMember, role: 'admin', organizationId },
  });
  expect((await guest.post('/organization/leave', { organizationId })).status).toBe(200);
  await owner.post('/organization/remove-member', { memberIdOrEmail: other.email, organizationId });
  const { body } = await owner.call('GET', `/api/v1/audit-events?organizationId=${organizationId}&limit=3`);
  expect(body.data.toReversed()).toMatchObject([
    {
      ...{ action: 'member.role_changed', actor: { id: owner.userId }, subjectId: guestMember },
      details: { userId: guest.userId, role: 'admin' },
    },
    {
      ...{ action: 'member.removed', actor: { id: guest.userId }, subjectId: guestMember },
      details: { userId: guest.userId, role: 'admin' },
    },
    {
      ...{ action: 'member.removed', actor: { id: owner.userId }, subjectId: otherMember },
      details: { userId: other.userId, role: 'member' },
    },
  ]);
});

test('what administrators do to users is recorded, impersonation above all', async () => {
  const [administrator, user] = [await signUp(api), await signUp(api)];
  await db.query(`update users set role = 'admin' where id = ?`, [administrator.userId]);
  expect((await administrator.post('/admin/ban-user', { userId: user.userId })).status).toBe(200);
  expect((await administrator.post('/admin/unban-user', { userId: user.userId })).status).toBe(200);
  expect((await administrator.post('/admin/impersonate-user', { userId: user.userId })).status).toBe(200);
  const rows = await db.query<{ action: string }>(
    'select action from audit_events where actor_id = ? and subject_id = ? order by id',
    [administrator.userId, user.userId],
  );
  expect(rows.map(({ action }) => action)).toEqual(['user.banned', 'user.unbanned', 'user.impersonated']);
});

test('what an administrator does in the name of someone else says so', async () => {
  const administrator = await signUp(api);
  await db.query(`update users set role = 'admin' where id = ?`, [administrator.userId]);
  const made = await owner.call('POST', '/api/v1/api-keys', {
    json: { organizationId, name: 'k', environment: 'test', permissions: ['messages:read'] },
  });
  const { body } = await administrator.post('/admin/impersonate-user', { userId: owner.userId });
  const revoked = await api.call(
    'DELETE',
    `/api/v1/api-keys/${made.body.id}?organizationId=${organizationId}`,
    {
      session: body.session.token as string,
    },
  );
  expect(revoked.status).toBe(204);
  const [event] = await db.query<{ actor_id: string; details: any }>(
    `select actor_id, details from audit_events where subject_id = ? and action = 'api_key.revoked'`,
    [made.body.id],
  );
  expect(event).toMatchObject({ actor_id: owner.userId, details: { impersonatedBy: administrator.userId } });
});

test('invitations are shown to whoever has proven the address they are for', async () => {
  const [confirmed, unconfirmed] = [await signUp(api), await signUp(api, { confirm: false })];
  for (const { email } of [confirmed, unconfirmed]) {
    await owner.post('/organization/invite-member', { email, role: 'member', organizationId });
  }
  const list = (person: Person) => person.call('GET', '/api/v1/organizations/invitations');
  expect((await list(confirmed)).body.data).toMatchObject([
    { email: confirmed.email, organizationId, status: 'pending' },
  ]);
  expect((await list(unconfirmed)).body).toMatchObject({ status: 403, code: 'email_not_verified' });
});
