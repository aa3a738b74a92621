import { hashSessionToken } from '../../src/auth/sessions/session-token.ts';
import { startTestApi, type Answer, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { createOrganization, problemOf, signUp, type Person } from '../helpers/people.ts';

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

/** Someone who owns so many organizations, none of them active, each with one other member. */
async function ownerOf(count: number) {
  const person = await signUp(api);
  const others = await Promise.all(Array.from({ length: count }, () => signUp(api)));
  const owned: { organizationId: string; memberIds: Record<string, string> }[] = [];
  for (const other of others)
    owned.push(await createOrganization(person, [{ person: other, role: 'member' }]));
  await db.query('update sessions set active_organization_id = null where token = ?', [
    hashSessionToken(person.token),
  ]);
  return { person, owned, others };
}

type Scene = Awaited<ReturnType<typeof ownerOf>>;
const invited = (organizationId: string) => (body: { organizationId: string }) =>
  expect(body.organizationId).toBe(organizationId);

const operations: [
  name: string,
  ask: (person: Person, scene: Scene) => Promise<Answer>,
  seen: (answer: Answer, organizationId: string) => void,
][] = [
  [
    'list-members',
    (person) => person.get('/organization/list-members'),
    ({ body }, id) => expect(body.members[0].organizationId).toBe(id),
  ],
  [
    'get-active-member',
    (person) => person.get('/organization/get-active-member'),
    ({ body }, id) => expect(body).toMatchObject({ organizationId: id, role: 'owner' }),
  ],
  [
    'get-active-member-role',
    (person) => person.get('/organization/get-active-member-role'),
    ({ body }) => expect(body.role).toBe('owner'),
  ],
  [
    'get-full-organization',
    (person) => person.get('/organization/get-full-organization'),
    ({ body }, id) => expect(body.id).toBe(id),
  ],
  [
    'list-invitations',
    (person) => person.get('/organization/list-invitations'),
    ({ body }, id) => (body as { organizationId: string }[]).forEach(invited(id)),
  ],
  [
    'invite-member',
    (person) => person.post('/organization/invite-member', { email: 'n@example.com', role: 'member' }),
    ({ body }, id) => invited(id)(body),
  ],
  [
    'update',
    (person) => person.post('/organization/update', { data: { name: 'Renamed' } }),
    ({ body }, id) => expect(body).toMatchObject({ id, name: 'Renamed' }),
  ],
  [
    'update-member-role',
    (person, { owned, others }) =>
      person.post('/organization/update-member-role', {
        memberId: owned[0]!.memberIds[others[0]!.userId] ?? person.userId,
        role: 'admin',
      }),
    ({ body }, id) => expect(body).toMatchObject({ organizationId: id, role: 'admin' }),
  ],
  [
    'remove-member',
    (person, { others }) => person.post('/organization/remove-member', { memberIdOrEmail: others[0]!.email }),
    ({ body }, id) => expect(body.member.organizationId).toBe(id),
  ],
];

test('what names no organization is about the only one, or the active one, or must name one', async () => {
  const [none, one, two] = await Promise.all([ownerOf(0), ownerOf(1), ownerOf(2)]);
  const required = { status: 400, code: 'organization_required' };
  const nothing = { owned: [{ memberIds: {} }], others: [one.person] } as never;
  for (const [name, ask, seen] of operations) {
    const alone = await ask(one.person, one);
    expect({ name, status: alone.status }).toEqual({ name, status: 200 });
    seen(alone, one.owned[0]!.organizationId);
    expect({ name, ...problemOf(await ask(none.person, nothing)) }).toEqual({ name, ...required });
    expect({ name, ...problemOf(await ask(two.person, two)) }).toEqual({ name, ...required });
  }
  await two.person.post('/organization/set-active', { organizationId: two.owned[0]!.organizationId });
  for (const [name, ask, seen] of operations) {
    const active = await ask(two.person, two);
    expect({ name, status: active.status }).toEqual({ name, status: 200 });
    seen(active, two.owned[0]!.organizationId);
  }
});

test('an organization that is not the user’s is as unknown as none', async () => {
  const [{ person }, { owned }] = await Promise.all([ownerOf(1), ownerOf(1)]);
  for (const path of [
    'list-members',
    'get-active-member-role',
    'get-full-organization',
    'list-invitations',
  ]) {
    const answer = await person.get(`/organization/${path}?organizationId=${owned[0]!.organizationId}`);
    expect({ path, ...problemOf(answer) }).toEqual({ path, status: 404, code: 'not_found' });
  }
});
