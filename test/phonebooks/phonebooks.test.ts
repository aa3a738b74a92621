import { randomUUID } from 'node:crypto';
import { startTestApi, type Answer, type CallOptions, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { problemOf } from '../helpers/people.ts';
import { createTenant } from '../helpers/tenants.ts';

let db: TestDatabase;
let api: TestApi;
let key: string;
let organizationId: string;

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database });
});

afterAll(async () => {
  await api.stop();
  await db.drop();
});

beforeEach(async () => {
  const tenant = await createTenant(db.database);
  key = await tenant.createKey();
  ({ organizationId } = tenant);
});

const path = '/api/v1/contact-lists';
const call = (method: string, target: string, options: CallOptions = {}): Promise<Answer> =>
  api.call(method, target, { key, ...options });

async function createPhonebook(name = 'Customers'): Promise<string> {
  const { status, body } = await call('POST', path, { json: { organizationId, name } });
  expect(status).toBe(201);
  return body.id as string;
}

/** Stores contacts as an import does, but for the import. */
async function createContacts(count: number, owner = organizationId): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `insert into contacts (id, organization_id, phone_number, tags, custom_fields, search_text, created_at, updated_at)
     select uuidv7(), ?, '+2519' || lpad(n::text, 8, '0'), '{}', '{}', '', now(), now()
     from generate_series(1, ?::int) n returning id`,
    [owner, count],
  );
  return rows.map(({ id }) => id);
}

const replace = (listId: string, contactIds: string[]): Promise<Answer> =>
  call('PUT', `${path}/${listId}/members`, { json: { organizationId, contactIds } });

async function membersOf(listId: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    'select contact_id as id from phonebook_members where phonebook_id = ? order by 1',
    [listId],
  );
  return rows.map(({ id }) => id);
}

/** What the list says it has, and what it has. */
async function counts(listId: string): Promise<{ shown: number; real: number }> {
  const { body } = await call('GET', path);
  const shown = (body.data as { id: string; memberCount: number }[]).find(
    ({ id }) => id === listId,
  )!.memberCount;
  return { shown, real: (await membersOf(listId)).length };
}

test('phonebooks are made, listed newest first, renamed and deleted; their contacts stay', async () => {
  const first = await createPhonebook('First');
  const made = await call('POST', path, {
    form: { organizationId, name: 'Second', description: 'of Adama' },
  });
  expect(made.body).toMatchObject({
    organizationId,
    name: 'Second',
    description: 'of Adama',
    memberCount: 0,
  });
  const second = made.body.id as string;
  const ids = async () => ((await call('GET', path)).body.data as { id: string }[]).map(({ id }) => id);
  expect(await ids()).toEqual([second, first]);
  const change = (json: object) => call('PATCH', `${path}/${second}`, { json: { organizationId, ...json } });
  expect((await change({ name: 'Third' })).body).toMatchObject({ name: 'Third', description: 'of Adama' });
  expect((await change({ name: 'Third', description: null })).body).toMatchObject({ description: null });
  const contacts = await createContacts(3);
  expect((await replace(second, contacts)).status).toBe(200);
  expect((await call('DELETE', `${path}/${second}`)).status).toBe(204);
  expect((await call('DELETE', `${path}/${second}`)).status).toBe(404);
  expect(await ids()).toEqual([first]);
  expect(await db.query('select from contacts where organization_id = ?', [organizationId])).toHaveLength(3);
  expect(await membersOf(second)).toEqual([]);
});

test.each([
  ['no name', {}],
  ['an empty name', { name: '' }],
  ['a name too long', { name: 'x'.repeat(101) }],
  ['a description too long', { name: 'x', description: 'x'.repeat(501) }],
])('%s is refused', async (_name, json) => {
  const answer = await call('POST', path, { json: { organizationId, ...json } });
  expect(problemOf(answer)).toEqual({ status: 400, code: 'invalid_request' });
  expect((await call('GET', path)).body.data).toEqual([]);
});

test('members are replaced as a whole, ids given twice count once, and the answer says what changed', async () => {
  const listId = await createPhonebook();
  const [a, b, c] = (await createContacts(3)) as [string, string, string];
  expect((await replace(listId, [a, b, a, a.toUpperCase()])).body).toEqual({
    memberCount: 2,
    added: 2,
    removed: 0,
  });
  expect((await replace(listId, [b, c])).body).toEqual({ memberCount: 2, added: 1, removed: 1 });
  expect(await membersOf(listId)).toEqual([b, c].sort());
  const page = await call('GET', `${path}/${listId}/members?limit=1`);
  expect(page.body.data).toMatchObject([{ id: c }]);
  const cursor = page.body.pagination.nextCursor as string;
  const last = await call('GET', `${path}/${listId}/members?limit=1&cursor=${cursor}`);
  expect(last.body).toMatchObject({ data: [{ id: b }], pagination: { nextCursor: null } });
  expect((await replace(listId, [])).body).toEqual({ memberCount: 0, added: 0, removed: 2 });
  expect(await counts(listId)).toEqual({ shown: 0, real: 0 });
});

test.each([
  ['an id of nothing', async () => randomUUID()],
  ['no id at all', async () => 'x'],
  [
    'a contact of another organization',
    async () => (await createContacts(1, (await createTenant(db.database)).organizationId))[0]!,
  ],
])('%s refuses the whole call, and says how many there are', async (_name, unknown) => {
  const listId = await createPhonebook();
  const [a, b] = (await createContacts(2)) as [string, string];
  await replace(listId, [a]);
  const unknownId = await unknown();
  const answer = await replace(listId, [b, unknownId]);
  expect(problemOf(answer)).toEqual({ status: 422, code: 'unknown_contacts' });
  expect(answer.body.detail).toMatch(/^1 of the 2 /);
  expect(answer.body.errors).toEqual([
    {
      ...{ path: '/body/contactIds/1', code: 'unknown_contacts' },
      message: `${unknownId} is not a contact of the organization`,
    },
  ]);
  expect(await membersOf(listId)).toEqual([a]);
  expect(await counts(listId)).toEqual({ shown: 1, real: 1 });
});

test('of many unknown ids the first fifty are named, each once and where it stands', async () => {
  const listId = await createPhonebook();
  const [known] = (await createContacts(1)) as [string];
  const unknown = Array.from({ length: 60 }, () => randomUUID());
  const answer = await replace(listId, [unknown[0]!, unknown[0]!.toUpperCase(), known, ...unknown.slice(1)]);
  expect(problemOf(answer)).toEqual({ status: 422, code: 'unknown_contacts' });
  expect(answer.body.detail).toMatch(/^60 of the 61 .* The first 50 are listed here\.$/);
  const errors = answer.body.errors as { path: string; message: string }[];
  expect(errors.map(({ message }) => message.split(' ')[0])).toEqual(unknown.slice(0, 50));
  expect(errors.slice(0, 2)).toMatchObject([{ path: '/body/contactIds/0' }, { path: '/body/contactIds/3' }]);
});

test.each<[string, (organizationId: string) => CallOptions]>([
  ['an empty list', (id) => ({ json: { organizationId: id, contactIds: [] } })],
  ['an empty list in a form', (id) => ({ form: { organizationId: id, contactIds: '[]' } })],
])('%s empties a phonebook', async (_what, optionsFor) => {
  const listId = await createPhonebook();
  await replace(listId, await createContacts(1));
  const answer = await call('PUT', `${path}/${listId}/members`, optionsFor(organizationId));
  expect({ status: answer.status, body: answer.body }).toEqual({
    ...{ status: 200, body: { memberCount: 0, added: 0, removed: 1 } },
  });
});

test('a phonebook of another organization is as one that does not exist', async () => {
  const listId = await createPhonebook();
  const [contact] = await createContacts(1);
  const stranger = await createTenant(db.database);
  const theirs = { key: await stranger.createKey() };
  const json = { organizationId: stranger.organizationId, name: 'x' };
  const answers = [
    await api.call('PATCH', `${path}/${listId}`, { ...theirs, json }),
    await api.call('DELETE', `${path}/${listId}`, theirs),
    await api.call('GET', `${path}/${listId}/members`, theirs),
    await api.call('PUT', `${path}/${listId}/members`, {
      ...theirs,
      json: { organizationId: stranger.organizationId, contactIds: [contact] },
    }),
    await call('GET', `${path}/${randomUUID()}/members`),
    await call('GET', `${path}/x/members`),
    await replace(randomUUID(), []),
  ];
  expect(answers.map(problemOf)).toEqual(answers.map(() => ({ status: 404, code: 'not_found' })));
});

test('of replacements at the same time one is what remains, never a mix', async () => {
  const listId = await createPhonebook();
  const contacts = await createContacts(400);
  const sets = [contacts.slice(0, 250), contacts.slice(150), contacts.slice(100, 300)];
  for (let round = 0; round < 5; round += 1) {
    const answers = await Promise.all(sets.map((set) => replace(listId, set)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const members = await membersOf(listId);
    expect(sets.map((set) => set.toSorted())).toContainEqual(members);
    expect(await counts(listId)).toEqual({ shown: members.length, real: members.length });
  }
});

test('the count stays true while contacts are deleted and members replaced at the same time', async () => {
  const lists = [await createPhonebook(), await createPhonebook(), await createPhonebook()];
  const contacts = await createContacts(120);
  const kept = contacts.slice(40);
  await Promise.all(lists.map((listId) => replace(listId, contacts)));
  const changes = lists.flatMap((listId, index) =>
    Array.from({ length: 8 }, (_none, round) => () => replace(listId, kept.slice(index * 5 + round))),
  );
  const deletions = contacts.slice(0, 40).map((id) => () => call('DELETE', `/api/v1/contacts/${id}`));
  const calls = [...deletions];
  changes.forEach((change, index) => calls.splice(index * 2, 0, change));
  const answers = await Promise.all(calls.map((each) => each()));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 204]));
  for (const listId of lists) {
    const { shown, real } = await counts(listId);
    expect(shown).toBe(real);
    expect(real).toBeGreaterThan(0);
  }
});

test('a contact that is deleted leaves its phonebooks, and each count goes down by one', async () => {
  const lists = [await createPhonebook(), await createPhonebook()];
  const [a, b] = (await createContacts(2)) as [string, string];
  await replace(lists[0]!, [a, b]);
  await replace(lists[1]!, [a]);
  expect((await call('DELETE', `/api/v1/contacts/${a}`)).status).toBe(204);
  expect(await Promise.all(lists.map(counts))).toEqual([
    { shown: 1, real: 1 },
    { shown: 0, real: 0 },
  ]);
});

test('a hundred thousand members fit into a call in each encoding, and one more does not', async () => {
  const listId = await createPhonebook();
  const contacts = await createContacts(100_000);
  const target = `${path}/${listId}/members`;
  const form = new URLSearchParams([['organizationId', organizationId]]);
  for (const id of contacts) form.append('contactIds[]', id);
  const put = async (options: CallOptions): Promise<object> =>
    (await call('PUT', target, options)).body as object;
  expect(await put({ form })).toEqual({ memberCount: 100_000, added: 100_000, removed: 0 });
  const multipart = { organizationId, contactIds: JSON.stringify(contacts.slice(1)) };
  expect(await put({ multipart })).toEqual({ memberCount: 99_999, added: 0, removed: 1 });
  expect(await put({ json: { organizationId, contactIds: contacts } })).toEqual({
    memberCount: 100_000,
    added: 1,
    removed: 0,
  });
  const tooMany = await call('PUT', target, {
    json: { organizationId, contactIds: [...contacts, contacts[0]] },
  });
  expect(problemOf(tooMany)).toEqual({ status: 400, code: 'invalid_request' });
}, 120_000);

describe('single members', () => {
  const add = (listId: string, contactIds: string[]): Promise<Answer> =>
    call('POST', `${path}/${listId}/members`, { json: { contactIds } });
  const remove = (listId: string, contactId: string): Promise<Answer> =>
    call('DELETE', `${path}/${listId}/members/${contactId}`);
  const idsIn = async (listId: string): Promise<string[]> => {
    const { body } = await call('GET', `${path}/${listId}/members`);
    return (body.data as { id: string }[]).map(({ id }) => id).toSorted();
  };

  test('are added beside the others, and removed alone; the count follows', async () => {
    const [one, two, three] = (await createContacts(3)) as [string, string, string];
    const listId = await createPhonebook();
    await replace(listId, [one]);
    expect((await add(listId, [one, two, three])).body).toEqual({ memberCount: 3, added: 2, removed: 0 });
    expect((await remove(listId, two)).status).toBe(204);
    expect((await remove(listId, two)).status).toBe(204);
    expect(await idsIn(listId)).toEqual([one, three].toSorted());
    const { body } = await call('GET', path);
    expect((body.data as { id: string }[]).find(({ id }) => id === listId)).toMatchObject({ memberCount: 2 });
  });

  test('a contact of another organization is refused, and then nobody is added', async () => {
    const [own] = (await createContacts(1)) as [string];
    const stranger = await createTenant(db.database);
    const [theirs] = (await createContacts(1, stranger.organizationId)) as [string];
    const listId = await createPhonebook();
    expect(problemOf(await add(listId, [own, theirs]))).toEqual({ status: 422, code: 'unknown_contacts' });
    expect(await idsIn(listId)).toEqual([]);
  });

  test('many additions at once all take effect, and are counted once', async () => {
    const contacts = await createContacts(8);
    const listId = await createPhonebook();
    await Promise.all([...contacts, ...contacts].map((contact) => add(listId, [contact])));
    await Promise.all(
      contacts.slice(0, 4).flatMap((contact) => [remove(listId, contact), remove(listId, contact)]),
    );
    expect(await idsIn(listId)).toEqual(contacts.slice(4).toSorted());
    expect((await add(listId, [contacts[7]!])).body).toEqual({ memberCount: 4, added: 0, removed: 0 });
  });
});

test('contacts are counted by the filters of their list', async () => {
  await createContacts(30);
  const count = async (query: string) =>
    (await call('GET', `/api/v1/contacts/count${query}`)).body as unknown;
  expect(await count('')).toEqual({ count: 30 });
  expect(await count('?to=2020-01-01')).toEqual({ count: 0 });
  await call('POST', '/api/v1/contacts', {
    json: { organizationId, phoneNumber: '+447911123456', firstName: 'Sara', tags: ['vip'] },
  });
  expect(await count('?tag=vip')).toEqual({ count: 1 });
  expect(await count('?search=sara')).toEqual({ count: 1 });
  expect(problemOf(await call('GET', '/api/v1/contacts/count?from=2026-02-01&to=2026-01-01'))).toEqual({
    status: 400,
    code: 'invalid_request',
  });
});
