import { startTestApi, type CallOptions, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { createOrganization, problemOf, signUp, type Person } from '../helpers/people.ts';
import { createTenant } from '../helpers/tenants.ts';

const path = '/api/v1/templates/';

let db: TestDatabase;
let api: TestApi;
let owner: Person;
let member: Person;
let organizationId: string;
let key: string;

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database });
  [owner, member] = [await signUp(api), await signUp(api)];
  ({ organizationId } = await createOrganization(owner, [{ person: member, role: 'member' }]));
  const made = await owner.call('POST', '/api/v1/api-keys', {
    json: {
      organizationId,
      name: 'k',
      environment: 'live',
      permissions: ['templates:write', 'templates:read'],
    },
  });
  key = made.body.key as string;
});

afterAll(async () => {
  await api.stop();
  await db.drop();
});

let names = 0;
const input = (change: object = {}) => {
  names += 1;
  return { organizationId, name: `Template ${names}`, content: 'Hello {{firstName|there}}', ...change };
};
const make = (person: Person, change: object = {}) => person.call('POST', path, { json: input(change) });
const list = async (person: Person, query = '') =>
  (await person.call('GET', `${path}?organizationId=${organizationId}${query}`)).body.data as {
    id: string;
    name: string;
  }[];
const count = async () =>
  Number((await db.query<{ count: string }>('select count(*) from templates'))[0]!.count);

describe('making a template', () => {
  test('it is the team’s and general unless told otherwise, and shows its segments and fields', async () => {
    const { status, body } = await make(owner);
    expect({ status, body }).toMatchObject({
      status: 201,
      body: {
        ...{ organizationId, category: 'general', scope: 'team', encoding: 'gsm7', segments: 1 },
        mergeFields: [{ name: 'firstName', default: 'there' }],
      },
    });
    expect((await list(member))[0]).toEqual(body);
  });

  test('segments are those of the text with its defaults, a code as long as codes are', async () => {
    const of = async (change: object) => (await make(owner, change)).body;
    expect(await of({ content: 'x'.repeat(155) + '{{firstName}}' })).toMatchObject({ segments: 1 });
    expect(await of({ content: 'x'.repeat(155) + '{{firstName|Abebes}}' })).toMatchObject({ segments: 2 });
    expect(await of({ content: '{{firstName|ሰላም}}' })).toMatchObject({ encoding: 'ucs2', segments: 1 });
    const code = { content: 'x'.repeat(155) + '{{code}}', category: 'otp' };
    expect(await of(code)).toMatchObject({ segments: 2, mergeFields: [{ name: 'code', default: null }] });
    expect(await of({ content: '😀'.repeat(4800) })).toMatchObject({ encoding: 'ucs2' });
  });

  test('the three encodings make the same template', async () => {
    const fields = {
      organizationId,
      content: 'ሰላም {{firstName|a & b}}',
      category: 'reminder',
      scope: 'personal',
    };
    const encodings: [string, CallOptions][] = [
      ['json', { json: { ...fields, name: 'json' } }],
      ['form', { form: { ...fields, name: 'form' } }],
      ['multipart', { multipart: { ...fields, name: 'multipart' } }],
    ];
    for (const [name, options] of encodings) {
      const { status, body } = await owner.call('POST', path, options);
      expect({ status, body }).toMatchObject({ status: 201, body: { ...fields, name } });
    }
  });

  // prettier-ignore
  test.each<[string, object, string[]]>([
    ['fields that there are', { content: 'Hello {{ firstName | there }}{{customFields.x}}' }, []],
    ['a code in one of category otp', { content: '{{code}}', category: 'otp' }, []],
    ['single braces', { content: 'a { b } c' }, []],
    ['a merge field that there is not', { content: 'Dear {{name}}' }, ['it has an unknown merge field “name”; the known fields are firstName, lastName, company, customFields.x, at character 6']],
    ['a merge field that is not closed', { content: 'Hello {{firstName' }, ['it opens a merge field that is not closed by }}, at character 7']],
    ['braces alone', { content: '{{ and }}}}' }, ['it has an unknown merge field “and”']],
    ['a field without a name', { content: '{{}}' }, ['it has a merge field without a name']],
    ['a code outside of otp', { content: '{{code}}', category: 'marketing' }, ['it has an unknown merge field “code”']],
    ['a default for a code', { content: '{{code|1}}', category: 'otp' }, ['it has a default for {{code}}']],
  ])('%s: the content is saved as it is given, and warnings say what bulk SMS refuses', async (_name, change, warnings) => {
    const { status, body } = await make(owner, change);
    expect({ status, body }).toMatchObject({ status: 201, body: change });
    expect(body.warnings).toEqual(warnings.map((part) => expect.stringContaining(part)));
    const listed = (await list(owner)).find(({ id }) => id === body.id);
    expect(listed).toEqual(body);
    const changed = await owner.call('PATCH', `${path}${body.id}`, { json: input(change) });
    expect(changed).toMatchObject({ status: 200, body: { ...change, warnings: body.warnings } });
  });

  test.each([
    [20, /at character 39\.$/],
    [21, /^There are 2 more problems/],
    [2400, /^There are 2381 more problems/],
  ])('of %i problems at most 20 warnings are told', async (problems, last) => {
    const content = '{{'.repeat(problems);
    const { body } = await make(owner, { content });
    expect(body.warnings).toHaveLength(20);
    expect(body.warnings.at(-1)).toMatch(last);
    expect(JSON.stringify(body).length).toBeLessThan(content.length + 5000);
  });

  test('what is no field is part of the text, in segments too', async () => {
    const { body } = await make(owner, { content: `${'x'.repeat(155)}{{name}}` });
    expect(body).toMatchObject({ segments: 2, mergeFields: [] });
  });

  // prettier-ignore
  test.each<[string, Record<string, unknown>, string, string]>([
    ['no name', { name: undefined }, '/body/name', 'required'],
    ['a name of 101 characters', { name: 'x'.repeat(101) }, '/body/name', 'too_long'],
    ['no content', { content: undefined }, '/body/content', 'required'],
    ['an empty content', { content: '' }, '/body/content', 'too_short'],
    ['a content of 4801 characters', { content: 'x'.repeat(4801) }, '/body/content', 'too_long'],
    ['no organization', { organizationId: undefined }, '/body/organizationId', 'required'],
    ['a category there is not', { category: 'spam' }, '/body/category', 'not_allowed'],
    ['a scope there is not', { scope: 'world' }, '/body/scope', 'not_allowed'],
    ['a number as name', { name: 5 }, '/body/name', 'wrong_type'],
    ['a field there is not', { colour: 'red' }, '/body/colour', 'unknown_field'],
  ])('%s is refused, and nothing is stored', async (_name, change, at, code) => {
    const before = await count();
    const { status, body } = await make(owner, change);
    expect({ status, body }).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect(body.errors).toContainEqual({ path: at, code, message: expect.any(String) });
    expect(body.errors.map((error: { path: string }) => error.path)).toEqual(body.errors.map(() => at));
    expect(await count()).toBe(before);
  });

  test('of ten at once with one name, one is made', async () => {
    const json = input({ name: 'Race' });
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        owner.call('POST', path, { json: { ...json, name: index % 2 ? 'RACE' : 'Race' } }),
      ),
    );
    const statuses = answers.map(({ status }) => status).toSorted((one, other) => one - other);
    expect(statuses).toEqual([201, ...Array.from({ length: 9 }, () => 409)]);
    expect(answers.find(({ status }) => status === 409)!.body.code).toBe('already_exists');
  });
});

describe('a personal template', () => {
  test('is its maker’s alone: to others, the owner and keys of others too, it is as unknown as none', async () => {
    const { body: mine } = await make(member, { scope: 'personal' });
    const unknown = `${path}019aa3c0-1f4e-7a51-8f0a-5d1a2d0c9b11`;
    expect((await list(member)).map(({ id }) => id)).toContain(mine.id);
    expect((await list(owner)).map(({ id }) => id)).not.toContain(mine.id);
    const byKey = await api.call('GET', path, { key });
    expect(byKey.body.data.map(({ id }: { id: string }) => id)).not.toContain(mine.id);
    for (const caller of [{ session: owner.token }, { key }]) {
      const json = input();
      const change = await api.call('PATCH', `${path}${mine.id}`, { ...caller, json });
      const deletion = await api.call('DELETE', `${path}${mine.id}?organizationId=${organizationId}`, caller);
      const ofNone = await api.call('PATCH', unknown, { ...caller, json });
      for (const { status, body } of [change, deletion]) {
        expect({ status, body: { ...body, requestId: '' } }).toEqual({
          status: 404,
          body: { ...ofNone.body, requestId: '' },
        });
      }
    }
    expect((await list(member)).find(({ id }) => id === mine.id)).toEqual(mine);
  });

  test('that a key makes belongs to who made the key, for both to read, change and delete', async () => {
    const { status, body: made } = await api.call('POST', path, { key, json: input({ scope: 'personal' }) });
    expect({ status, scope: made.scope }).toEqual({ status: 201, scope: 'personal' });
    const byKey = async () =>
      (await api.call('GET', path, { key })).body.data.map(({ id }: { id: string }) => id);
    expect(await byKey()).toContain(made.id);
    expect((await list(owner)).map(({ id }) => id)).toContain(made.id);
    expect((await list(member)).map(({ id }) => id)).not.toContain(made.id);
    const { body: ofThePerson } = await make(owner, { scope: 'personal' });
    expect(await byKey()).toContain(ofThePerson.id);
    for (const id of [made.id, ofThePerson.id]) {
      expect((await api.call('PATCH', `${path}${id}`, { key, json: input() })).body.scope).toBe('personal');
      expect((await owner.call('PATCH', `${path}${id}`, { json: input() })).status).toBe(200);
      expect((await api.call('DELETE', `${path}${id}`, { key })).status).toBe(204);
    }
  });

  test('a key makes personal what its maker made for the team, but nothing of others', async () => {
    const scope = 'personal';
    for (const { body } of [await make(owner), await api.call('POST', path, { key, json: input() })]) {
      const taken = await api.call('PATCH', `${path}${body.id}`, { key, json: input({ scope }) });
      expect({ status: taken.status, scope: taken.body.scope }).toEqual({ status: 200, scope });
    }
    const { body: ofMember } = await make(member);
    const refused = await api.call('PATCH', `${path}${ofMember.id}`, { key, json: input({ scope }) });
    expect(problemOf(refused)).toEqual({ status: 403, code: 'permission_denied' });
  });

  test('a key that nobody is known to have made sees and makes none', async () => {
    const tenant = await createTenant(db.database);
    const nobodys = await tenant.createKey();
    const json = { ...input({ scope: 'personal' }), organizationId: tenant.organizationId };
    expect((await api.call('POST', path, { key: nobodys, json })).body).toMatchObject({
      status: 400,
      errors: [{ path: '/body/scope', code: 'not_allowed' }],
    });
    const { body: team } = await api.call('POST', path, { key: nobodys, json: { ...json, scope: 'team' } });
    const taken = await api.call('PATCH', `${path}${team.id}`, { key: nobodys, json });
    expect(taken.body).toMatchObject({ status: 400, errors: [{ path: '/body/scope' }] });
  });

  test('may be called as another’s is, or the team’s, but not as another of one’s own', async () => {
    await make(owner, { name: 'Twin' });
    expect((await make(owner, { name: 'Twin', scope: 'personal' })).status).toBe(201);
    expect((await make(member, { name: 'twin', scope: 'personal' })).status).toBe(201);
    expect(problemOf(await make(member, { name: 'TWIN', scope: 'personal' }))).toEqual({
      status: 409,
      code: 'already_exists',
    });
  });

  test('goes with its owner, and what is the team’s stays', async () => {
    const person = await signUp(api);
    await db.query(
      `insert into members (id, organization_id, user_id, role, created_at) values (gen_random_uuid(), ?, ?, 'member', now())`,
      [organizationId, person.userId],
    );
    const own = await make(person, { scope: 'personal' });
    const ofTheTeam = await make(person);
    await db.query('delete from users where id = ?', [person.userId]);
    const left = await db.query('select id from templates where id in (?, ?)', [
      own.body.id,
      ofTheTeam.body.id,
    ]);
    expect(left).toEqual([{ id: ofTheTeam.body.id }]);
  });
});

describe('changing a template', () => {
  test('category and scope stay when they are left out', async () => {
    const { body: made } = await make(owner, { category: 'otp', scope: 'personal', content: '{{code}}' });
    const change = input({ content: 'Code: {{code}}' });
    const { status, body } = await owner.call('PATCH', `${path}${made.id}`, { json: change });
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { ...change, id: made.id, category: 'otp', scope: 'personal', createdAt: made.createdAt },
    });
  });

  test('warnings are those of the category that the template has', async () => {
    const { body: made } = await make(owner, { category: 'otp', content: '{{code}}' });
    expect(made.warnings).toEqual([]);
    const change = { ...input({ content: '{{code}}' }), category: 'general' };
    const { status, body } = await owner.call('PATCH', `${path}${made.id}`, { json: change });
    expect({ status, body }).toMatchObject({ status: 200, body: change });
    expect(body.warnings).toHaveLength(1);
  });

  test('its maker makes a team’s personal, and gives it back to the team', async () => {
    const { body: made } = await make(member);
    const json = input({ scope: 'personal' });
    expect((await member.call('PATCH', `${path}${made.id}`, { json })).status).toBe(200);
    expect((await list(owner)).map(({ id }) => id)).not.toContain(made.id);
    await member.call('PATCH', `${path}${made.id}`, { json: { ...json, scope: 'team' } });
    expect((await list(owner)).map(({ id }) => id)).toContain(made.id);
  });

  test.each(['owner', 'admin'])('an %s makes a team’s, which another made, his own', async (role) => {
    const person = await signUp(api);
    await db.query(
      `insert into members (id, organization_id, user_id, role, created_at) values (gen_random_uuid(), ?, ?, ?, now())`,
      [organizationId, person.userId, role],
    );
    const { body: made } = await make(member);
    const json = input({ scope: 'personal' });
    const { status, body } = await person.call('PATCH', `${path}${made.id}`, { json });
    expect({ status, scope: body.scope }).toEqual({ status: 200, scope: 'personal' });
    expect((await list(person)).map(({ id }) => id)).toContain(made.id);
    expect((await list(member)).map(({ id }) => id)).not.toContain(made.id);
  });

  test.each<[string, () => Promise<{ body: { id: string } }>]>([
    ['another', () => make(owner)],
    ['a key', () => api.call('POST', path, { key, json: input() })],
  ])('a member cannot take a team’s that %s made, but change it', async (_name, makeOne) => {
    const { id } = (await makeOne()).body;
    const before = (await list(owner)).find((template) => template.id === id);
    const json = input({ scope: 'personal' });
    const answer = await member.call('PATCH', `${path}${id}`, { json });
    expect(problemOf(answer)).toEqual({ status: 403, code: 'permission_denied' });
    expect((await list(owner)).find((template) => template.id === id)).toEqual(before);
    const change = await member.call('PATCH', `${path}${id}`, { json: { ...json, scope: 'team' } });
    expect(change.status).toBe(200);
  });

  test('it cannot take the name of another', async () => {
    const [first, second] = [(await make(owner)).body, (await make(owner)).body];
    const json = input({ name: first.name.toUpperCase() });
    expect(problemOf(await owner.call('PATCH', `${path}${second.id}`, { json }))).toEqual({
      status: 409,
      code: 'already_exists',
    });
  });

  test.each(['x', '019aa3c0-1f4e-7a51-8f0a-5d1a2d0c9b11'])(
    'an id that is none, %s, is not found',
    async (id) => {
      const change = await owner.call('PATCH', `${path}${id}`, { json: input() });
      const deletion = await owner.call('DELETE', `${path}${id}?organizationId=${organizationId}`);
      expect([problemOf(change).status, problemOf(deletion).status]).toEqual([404, 404]);
    },
  );
});

test('a template that is deleted is gone, and its name is free', async () => {
  const { body } = await make(owner, { name: 'Short-lived' });
  expect((await owner.call('DELETE', `${path}${body.id}?organizationId=${organizationId}`)).status).toBe(204);
  expect((await owner.call('DELETE', `${path}${body.id}?organizationId=${organizationId}`)).status).toBe(404);
  expect((await make(owner, { name: 'Short-lived' })).status).toBe(201);
});

describe('the list', () => {
  let listKey: string;
  const call = async (query: string) => (await api.call('GET', `${path}?${query}`, { key: listKey })).body;

  beforeAll(async () => {
    const tenant = await createTenant(db.database);
    listKey = await tenant.createKey();
    const { organizationId: id } = tenant;
    for (const [name, content] of [
      ['100% off', 'a'],
      ['Parcels', 'b_c'],
      ['Reminder', 'Your PARCEL waits'],
    ] as const) {
      await api.call('POST', path, { key: listKey, json: { organizationId: id, name, content } });
    }
  });

  test.each<[string, string[]]>([
    ['', ['Reminder', 'Parcels', '100% off']],
    ['search=parcel', ['Reminder', 'Parcels']],
    ['search=%25', ['100% off']],
    ['search=_', ['Parcels']],
    ['search=%5C', []],
    ['search=nothing+like+it', []],
  ])('%s finds %j: wildcards are letters like others', async (query, found) => {
    expect((await call(query)).data.map(({ name }: { name: string }) => name)).toEqual(found);
  });

  test('goes on where the page before ended', async () => {
    const first = await call('limit=2');
    expect(first.data).toHaveLength(2);
    const { nextCursor } = first.pagination;
    const second = await call(`limit=2&cursor=${nextCursor}`);
    expect(second).toMatchObject({
      data: [{ name: '100% off' }],
      pagination: { limit: 2, nextCursor: null },
    });
  });

  test.each(['limit=0', 'limit=201', 'cursor=x', 'page=1'])('%s is refused', async (query) => {
    expect(await call(query)).toMatchObject({ status: 400, code: 'invalid_request' });
  });
});
