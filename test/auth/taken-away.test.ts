import { startTestApi, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { createOrganization, makeAdministrator, password, signUp, type Person } from '../helpers/people.ts';

let db: TestDatabase;
/** What one process takes away, the other must not have kept. */
let api: TestApi;
let otherApi: TestApi;
let administrator: Person;

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database });
  otherApi = await startTestApi({ database: db.database });
  administrator = await signUp(api);
  await makeAdministrator(db, administrator);
});

afterAll(async () => {
  await api.stop();
  await otherApi.stop();
  await db.drop();
});

interface Scene {
  owner: Person;
  person: Person;
  organizationId: string;
  memberId: string;
}

const changeRole =
  (role: string) =>
  ({ owner, organizationId, memberId }: Scene) =>
    owner.post('/organization/update-member-role', { organizationId, memberId, role });
const ofOrganization = '/api/v1/messages?organizationId=';
const ofManagers = '/api/v1/api-keys?organizationId=';
const members = '/api/auth/organization/list-members?organizationId=';

const rows: [
  what: string,
  take: (scene: Scene) => Promise<{ status: number }>,
  path: string,
  answer: [status: number, code: string],
][] = [
  ['the role of an admin', changeRole('member'), ofManagers, [403, 'permission_denied']],
  ...[ofOrganization, ofManagers, members].map((path): (typeof rows)[number] => [
    'the membership',
    ({ owner, organizationId, memberId }) =>
      owner.post('/organization/remove-member', { organizationId, memberIdOrEmail: memberId }),
    path,
    [404, 'not_found'],
  ]),
  [
    'the membership, by leaving',
    ({ person, organizationId }) => person.post('/organization/leave', { organizationId }),
    ofOrganization,
    [404, 'not_found'],
  ],
  ...[ofOrganization, members, '/api/auth/list-accounts?x='].map((path): (typeof rows)[number] => [
    'the right to come in, by a ban',
    ({ person }) => administrator.post('/admin/ban-user', { userId: person.userId }),
    path,
    [403, 'banned'],
  ]),
  [
    'the sessions, by an administrator',
    ({ person }) => administrator.post('/admin/revoke-user-sessions', { userId: person.userId }),
    ofOrganization,
    [401, 'unauthenticated'],
  ],
  [
    'the session, by signing out',
    ({ person }) => person.post('/sign-out'),
    ofOrganization,
    [401, 'unauthenticated'],
  ],
  [
    'the session, by its user elsewhere',
    async ({ person }) => {
      const json = { email: person.email, password };
      const { body } = await api.call('POST', '/api/auth/sign-in/email', { json });
      return api.call('POST', '/api/auth/revoke-other-sessions', { session: body.token as string });
    },
    members,
    [401, 'unauthenticated'],
  ],
];

test.each(rows)(
  '%s is taken away for the next request on, in every process: %#',
  async (_what, take, path, answer) => {
    const [owner, person] = [await signUp(api), await signUp(api)];
    const { organizationId, memberIds } = await createOrganization(owner, [{ person, role: 'admin' }]);
    const target = path.replace(/\?x=$/, '') + (path.endsWith('organizationId=') ? organizationId : '');
    const ask = async () => {
      const answers = [api, otherApi].map((process) =>
        process.call('GET', target, { session: person.token }),
      );
      return (await Promise.all(answers)).map(({ status, body }) => [status, body.code]);
    };
    expect(await ask()).toEqual(Array(2).fill([200, undefined]));
    const taken = await take({ owner, person, organizationId, memberId: memberIds[person.userId]! });
    expect(taken.status).toBe(200);
    expect(await ask()).toEqual(Array(2).fill(answer));
  },
);

test('the role of an administrator is taken away for the next request on, in every process', async () => {
  const person = await signUp(api);
  await makeAdministrator(db, person);
  const ask = async () => {
    const answers = ['/api/auth/admin/list-users', '/api/v1/admin/audit-events'].flatMap((path) =>
      [api, otherApi].map((process) => process.call('GET', path, { session: person.token })),
    );
    return (await Promise.all(answers)).map(({ status }) => status);
  };
  expect(await ask()).toEqual([200, 200, 200, 200]);
  await administrator.post('/admin/set-role', { userId: person.userId, role: 'user' });
  expect(await ask()).toEqual([403, 403, 403, 403]);
});
