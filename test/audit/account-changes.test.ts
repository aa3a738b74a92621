import { startTestApi, type Answer, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import {
  createOrganization,
  makeAdministrator,
  password,
  problemOf,
  signUp,
  type Person,
} from '../helpers/people.ts';

let db: TestDatabase;
let api: TestApi;
let owner: Person;
let member: Person;
let guest: Person;
let administrator: Person;
let organizationId: string;
let memberId: string;
let invitationId: string;
let impersonation: string;

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database });
  [owner, member, guest, administrator] = await Promise.all([
    signUp(api),
    signUp(api),
    signUp(api),
    signUp(api),
  ]);
  await makeAdministrator(db, administrator);
  const made = await createOrganization(owner, [{ person: member, role: 'member' }]);
  organizationId = made.organizationId;
  memberId = made.memberIds[member.userId]!;
  const invited = await owner.post('/organization/invite-member', {
    ...{ email: guest.email, role: 'member', organizationId },
  });
  invitationId = invited.body.id as string;
  await db.query(`
    create function refuse_line() returns trigger language plpgsql as $$ begin raise exception 'disk full'; end; $$;
    create trigger refuse_line before insert on audit_events for each row execute function refuse_line();
    alter table audit_events disable trigger refuse_line;
  `);
});
afterAll(async () => {
  await api.stop();
  await db.drop();
});

/** Everything that account changes write, but for what any request does to the session it comes with. */
async function accounts(): Promise<string> {
  const tables = ['members', 'invitations', 'users', 'sessions', 'accounts', 'organizations', 'audit_events'];
  const rows = await Promise.all(tables.map((table) => db.query(`select * from ${table} order by id`)));
  return JSON.stringify(rows);
}

const changes: [action: string, line: string, change: () => Promise<Answer>][] = [
  [
    'inviting',
    'invitation.created',
    () =>
      owner.post('/organization/invite-member', { email: 'new@example.com', role: 'admin', organizationId }),
  ],
  [
    'changing a role',
    'member.role_changed',
    () => owner.post('/organization/update-member-role', { memberId, role: 'admin', organizationId }),
  ],
  ['accepting', 'invitation.accepted', () => guest.post('/organization/accept-invitation', { invitationId })],
  [
    'removing a member',
    'member.removed',
    () => owner.post('/organization/remove-member', { memberIdOrEmail: memberId, organizationId }),
  ],
  ['leaving', 'member.removed', () => guest.post('/organization/leave', { organizationId })],
  [
    'making a user',
    'user.created',
    () =>
      administrator.post('/admin/create-user', {
        ...{ email: 'made@example.com', name: 'Made', password, role: 'admin' },
      }),
  ],
  ['banning', 'user.banned', () => administrator.post('/admin/ban-user', { userId: member.userId })],
  ['ending a ban', 'user.unbanned', () => administrator.post('/admin/unban-user', { userId: member.userId })],
  [
    'impersonating',
    'user.impersonated',
    async () => {
      const answer = await administrator.post('/admin/impersonate-user', { userId: member.userId });
      impersonation = answer.body.session?.token ?? '';
      return answer;
    },
  ],
  [
    'ending an impersonation',
    'user.impersonation_ended',
    () => api.call('POST', '/api/auth/admin/stop-impersonating', { session: impersonation }),
  ],
  [
    'changing a role on the platform',
    'user.role_changed',
    () => administrator.post('/admin/set-role', { userId: member.userId, role: 'admin' }),
  ],
];

// Each is first made with a log that takes no line, then with one that does, so the next one finds it made.
test.each(changes)(
  '%s and its line in the log are there together or not at all',
  async (_action, line, change) => {
    const [before, mails] = [await accounts(), api.mails.length];
    await db.query('alter table audit_events enable trigger refuse_line');
    const refused = await change();
    await db.query('alter table audit_events disable trigger refuse_line');
    expect(problemOf(refused)).toEqual({ status: 500, code: 'internal_error' });
    expect(refused.headers.getSetCookie()).toEqual([]);
    expect(await accounts()).toBe(before);
    expect(api.mails).toHaveLength(mails);

    expect((await change()).status).toBe(200);
    const [last] = await db.query<{ action: string }>(
      'select action from audit_events order by id desc limit 1',
    );
    expect(last).toEqual({ action: line });
  },
);

test('who is made a user at the same moment twice is made once, and the other is told that there is one', async () => {
  const json = { email: 'twice@example.com', name: 'Twice', password, role: 'user' };
  const answers = await Promise.all([1, 2, 3].map(() => administrator.post('/admin/create-user', json)));
  const losers = answers.filter(({ status }) => status !== 200);
  expect(losers.map(problemOf)).toEqual([
    { status: 409, code: 'already_exists' },
    { status: 409, code: 'already_exists' },
  ]);
});

test('an invitation is mailed once it is stored', async () => {
  const email = 'mailed@example.com';
  const { body } = await owner.post('/organization/invite-member', { email, role: 'member', organizationId });
  expect(api.mails.filter(({ to }) => to === email)).toMatchObject([
    { text: expect.stringContaining(body.id as string) },
  ]);
});

test('more changes at once than the pool has connections come to an end', async () => {
  const emails = Array.from({ length: 30 }, (_, index) => `many-${index}@example.com`);
  const answers = await Promise.all(
    emails.map((email) =>
      owner.post('/organization/invite-member', { email, role: 'member', organizationId }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(emails.map(() => 200));
});
