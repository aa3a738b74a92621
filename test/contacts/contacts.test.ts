import { startTestApi, type Answer, type CallOptions, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { problemOf } from '../helpers/people.ts';
import { createTenant, type Tenant } from '../helpers/tenants.ts';

let db: TestDatabase;
let api: TestApi;
let tenant: Tenant;
let key: string;
let organizationId: string;
let number = 911_000_000;

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database });
});

afterAll(async () => {
  await api.stop();
  await db.drop();
});

beforeEach(async () => {
  tenant = await createTenant(db.database);
  key = await tenant.createKey();
  ({ organizationId } = tenant);
});

const nextNumber = (): string => `0${(number += 1)}`;
const call = (method: string, path: string, options: CallOptions = {}): Promise<Answer> =>
  api.call(method, path, { key, ...options });
const create = (json: object): Promise<Answer> =>
  call('POST', '/api/v1/contacts', { json: { organizationId, ...json } });
const stored = (): Promise<object[]> =>
  db.query('select * from contacts where organization_id = ? order by id', [organizationId]);

async function search(query: Record<string, string>): Promise<string[]> {
  const { status, body } = await call('GET', `/api/v1/contacts?${new URLSearchParams(query).toString()}`);
  expect(status).toBe(200);
  return (body.data as { phoneNumber: string }[]).map(({ phoneNumber }) => phoneNumber);
}

const fields = {
  firstName: 'አበበ',
  lastName: 'Bikila',
  email: 'abebe@example.com',
  company: 'Ethio Telecom',
  tags: ['vip', 'Addis'],
  customFields: { city: 'Adama', age: 31, member: true, none: null },
};

test('a contact is stored with its number in E.164 and answered whole', async () => {
  const { status, body } = await create({ phoneNumber: '0911 23 45 67', ...fields });
  expect(status).toBe(201);
  expect(body).toMatchObject({
    organizationId,
    phoneNumber: '+251911234567',
    ...fields,
    phoneVerifiedAt: null,
  });
  expect((await call('GET', '/api/v1/contacts')).body.data).toEqual([body]);
});

test.each(['created', 'changed'])('a tag may be any text, also when the contact is %s', async (when) => {
  const tags = ['null', 'a\nb', 'a  b', '"', '\\n', 'a,b', '{}', "'"];
  const phoneNumber = nextNumber();
  const first = await create({ phoneNumber, tags: when === 'created' ? tags : ['before'] });
  const json = { organizationId, phoneNumber, tags };
  const last =
    when === 'created' ? first : await call('PATCH', `/api/v1/contacts/${first.body.id}`, { json });
  expect(last.body).toMatchObject({ tags });
  const { body } = await call('GET', '/api/v1/contacts');
  expect(body.data).toMatchObject([{ tags }]);
});

test('all three encodings store the same contact', async () => {
  const flat = { organizationId, firstName: 'Abebe', 'tags[]': 'vip', 'customFields[city]': 'Adama' };
  const answers = [
    await create({
      phoneNumber: '0911000001',
      firstName: 'Abebe',
      tags: ['vip'],
      customFields: { city: 'Adama' },
    }),
    await call('POST', '/api/v1/contacts', { form: { ...flat, phoneNumber: '0911000002' } }),
    await call('POST', '/api/v1/contacts', { multipart: { ...flat, phoneNumber: '0911000003' } }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
  const contents = answers.map(({ body: { firstName, tags, customFields } }) => ({
    firstName,
    tags,
    customFields,
  }));
  expect(contents).toEqual(Array.from({ length: 3 }, () => contents[0]));
});

test('of a hundred creations of one number at once exactly one is made', async () => {
  const spellings = ['0911234567', '+251911234567', '911234567', '251911234567'];
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_none, index) => create({ phoneNumber: spellings[index % 4] })),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(answers.filter(({ body }) => body.code === 'already_exists')).toHaveLength(99);
  expect(await stored()).toHaveLength(1);
});

test('another organization may have the same number, and sees nothing of ours', async () => {
  const { body } = await create({ phoneNumber: '0911234567' });
  const stranger = await createTenant(db.database);
  const theirKey = await stranger.createKey();
  const json = { organizationId: stranger.organizationId, phoneNumber: '0911234567' };
  expect((await api.call('POST', '/api/v1/contacts', { key: theirKey, json })).status).toBe(201);
  const path = `/api/v1/contacts/${body.id}`;
  expect(problemOf(await api.call('PATCH', path, { key: theirKey, json }))).toEqual({
    status: 404,
    code: 'not_found',
  });
  expect((await api.call('DELETE', path, { key: theirKey })).status).toBe(404);
  expect(await stored()).toHaveLength(1);
});

test.each([
  ['a number that is none', { phoneNumber: 'no number' }, 422, 'invalid_recipient', 'phoneNumber'],
  ['a number too short', { phoneNumber: '0911' }, 400, 'invalid_request', 'phoneNumber'],
  ['a name too long', { firstName: 'x'.repeat(101) }, 400, 'invalid_request', 'firstName'],
  ['an e-mail address too long', { email: 'x'.repeat(321) }, 400, 'invalid_request', 'email'],
  [
    'too many tags',
    { tags: Array.from({ length: 101 }, (_n, i) => `t${i}`) },
    400,
    'invalid_request',
    'tags',
  ],
  ['a tag too long', { tags: ['x'.repeat(81)] }, 400, 'invalid_request', 'tags/0'],
  ['custom fields that are none', { customFields: ['x'] }, 400, 'invalid_request', 'customFields'],
  [
    'custom fields of more than 16 KiB',
    { customFields: { a: 'ሰ'.repeat(5500) } },
    ...([400, 'invalid_request', 'customFields'] as const),
  ],
  ['an unknown field', { nickname: 'x' }, 400, 'invalid_request', 'nickname'],
] as [string, object, number, string, string][])(
  '%s is refused and stores nothing, on creation and on change',
  async (...[, input, status, code, field]) => {
    const refused = await create({ phoneNumber: '0911234567', ...input });
    expect(problemOf(refused)).toEqual({ status, code });
    expect(refused.body.errors[0].path).toBe(`/body/${field}`);
    expect(await stored()).toEqual([]);
    const { body } = await create({ phoneNumber: '0911234567', ...fields });
    const before = await stored();
    const json = { organizationId, phoneNumber: '0911234567', ...input };
    expect(problemOf(await call('PATCH', `/api/v1/contacts/${body.id}`, { json }))).toEqual({ status, code });
    expect(await stored()).toEqual(before);
  },
);

test.each<[string, object, object]>([
  ['an e-mail address as it is given', { email: ' not an address ' }, { email: ' not an address ' }],
  ['an e-mail address of spaces', { email: '  ' }, { email: '  ' }],
  ...(['firstName', 'lastName', 'company'] as const).flatMap((field): [string, object, object][] => [
    [`a ${field} of spaces`, { [field]: '  ' }, { [field]: '  ' }],
    [`a ${field} with spaces around it`, { [field]: ' x\u3000' }, { [field]: ' x\u3000' }],
    [`an empty ${field}, which is none`, { [field]: '' }, { [field]: null }],
  ]),
  ['tags but for those of spaces', { tags: ['', ' ', 'a', 'a '] }, { tags: ['a'] }],
  ...(
    [
      ['nested custom fields', { a: { b: [1, { c: null }], d: '' }, list: [], none: null }],
      ['custom fields of every type', { text: 'x', number: 1.5, yes: true, no: null, list: ['x', 2] }],
      [
        'custom fields of any name',
        { '': 1, [' ']: 2, ['x'.repeat(1000)]: 3, 'a.b|{{c}}': 4, constructor: 5 },
      ],
      ['a hundred custom fields', Object.fromEntries(Array.from({ length: 100 }, (_n, i) => [`f${i}`, i]))],
      ['a long custom value', { a: 'x'.repeat(16 * 1024 - 8) }],
    ] as [string, object][]
  ).map(([name, customFields]): [string, object, object] => [name, { customFields }, { customFields }]),
])('a contact takes %s, on creation and on change', async (_name, given, kept) => {
  const made = await create({ phoneNumber: '0911234567', ...given });
  expect({ status: made.status, body: made.body }).toMatchObject({ status: 201, body: kept });
  const other = await create({ phoneNumber: '0911234568' });
  const json = { organizationId, phoneNumber: '0911234568', ...given };
  const changed = await call('PATCH', `/api/v1/contacts/${other.body.id}`, { json });
  expect({ status: changed.status, body: changed.body }).toMatchObject({ status: 200, body: kept });
  expect((await call('GET', '/api/v1/contacts')).body.data).toMatchObject([kept, kept]);
});

test('a change leaves what it does not name, and null or an empty text empties it', async () => {
  const { body } = await create({ phoneNumber: '0911234567', ...fields });
  const change = async (json: object): Promise<Answer> =>
    call('PATCH', `/api/v1/contacts/${body.id}`, {
      json: { organizationId, phoneNumber: '0911234567', ...json },
    });
  expect((await change({})).body).toMatchObject(fields);
  expect(
    (await change({ firstName: null, lastName: '', tags: ['a', ' a '], customFields: { x: 1 } })).body,
  ).toEqual({
    ...body,
    ...{ firstName: null, lastName: null, tags: ['a'], customFields: { x: 1 } },
    updatedAt: expect.any(String) as string,
  });
  expect(await search({ search: 'bikila' })).toEqual([]);
  expect(await search({ search: 'telecom' })).toEqual(['+251911234567']);
});

test('a changed number must be free, and has to be verified anew', async () => {
  const [first, second] = [
    (await create({ phoneNumber: '0911234567' })).body,
    (await create({ phoneNumber: '0922345678' })).body,
  ];
  await db.query('update contacts set phone_verified_at = now() where id = ?', [first.id]);
  const change = (phoneNumber: string): Promise<Answer> =>
    call('PATCH', `/api/v1/contacts/${first.id}`, { json: { organizationId, phoneNumber } });
  expect(problemOf(await change(second.phoneNumber as string))).toEqual({
    status: 409,
    code: 'already_exists',
  });
  expect((await change('+251911234567')).body.phoneVerifiedAt).toEqual(expect.any(String));
  expect((await change('0933456789')).body).toMatchObject({
    phoneNumber: '+251933456789',
    phoneVerifiedAt: null,
  });
});

test('a deleted contact is gone, and deleting it again finds none', async () => {
  const { body } = await create({ phoneNumber: '0911234567' });
  expect((await call('DELETE', `/api/v1/contacts/${body.id}`)).status).toBe(204);
  expect((await call('DELETE', `/api/v1/contacts/${body.id}`)).status).toBe(404);
  expect((await call('DELETE', '/api/v1/contacts/x')).status).toBe(404);
  expect(await stored()).toEqual([]);
});

describe('a search', () => {
  test.each([
    ['0911', true],
    ['0911234567', true],
    ['+251911', true],
    ['251911234567', true],
    ['911234567', true],
    ['09 11-23', true],
    ['2345', true],
    ['+2510911234567', true],
    ['+251 (0) 911-23', true],
    ['00251911234567', true],
    ['00251 0911 234567', true],
    ['2510911234567', true],
    [' 251911234567', true],
    [' 2510911', true],
    ['002519112345670', false],
    ['+2510912', false],
    ['0912', false],
    ['abebe', true],
    ['  ABEBE  bikila ', true],
    ['bikila abebe', false],
    ['E\u0301cole', true],
    ['éCOLE', true],
    ['አዲስ', true],
    ['ethio tele', true],
    ['@EXAMPLE', true],
    ['vip', true],
    ['100%', true],
    ['1_0%', false],
    ['%', true],
    ['\\', false],
    ['', true],
    ['   ', true],
  ])('for “%s” finds the contact: %s', async (text, isFound) => {
    const contact = {
      firstName: 'Abebe',
      lastName: 'Bikila',
      company: 'Ethio Telecom',
      email: 'a@example.com',
    };
    await create({
      phoneNumber: '0911234567',
      ...contact,
      tags: ['VIP', 'Ecole', 'École', 'አዲስ አበባ', '100%'],
    });
    expect(await search({ search: text })).toEqual(isFound ? ['+251911234567'] : []);
  });

  test('finds a number whose + was not encoded in the address', async () => {
    await create({ phoneNumber: '0911234567' });
    const { body } = await call('GET', '/api/v1/contacts?search=+2510911234567');
    expect(body.data).toHaveLength(1);
  });

  test('is combined with a tag, with days and with pages, newest first', async () => {
    const numbers: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      const { body } = await create({
        phoneNumber: nextNumber(),
        firstName: 'Sara',
        tags: index < 3 ? ['vip'] : [],
      });
      numbers.unshift(body.phoneNumber as string);
    }
    await create({ phoneNumber: nextNumber(), firstName: 'Other' });
    const today = new Date().toISOString().slice(0, 10);
    expect(await search({ search: 'sara', from: today, to: today })).toEqual(numbers);
    expect(await search({ search: 'sara', tag: 'vip' })).toEqual(numbers.slice(2));
    expect(await search({ tag: 'VIP' })).toEqual([]);
    expect(await search({ from: '2999-01-01' })).toEqual([]);
    expect(await search({ to: '2001-01-01' })).toEqual([]);
    const pages: string[] = [];
    let cursor = '';
    do {
      const { body } = await call(
        'GET',
        `/api/v1/contacts?search=sara&limit=2&cursor=${cursor}`.replace(/&cursor=$/, ''),
      );
      pages.push(...(body.data as { phoneNumber: string }[]).map(({ phoneNumber }) => phoneNumber));
      cursor = body.pagination.nextCursor as string;
    } while (cursor);
    expect(pages).toEqual(numbers);
  });

  test.each(['from=2026-02-30', 'to=x', 'from=2026-02-02&to=2026-02-01', 'limit=0', 'cursor=x', 'unknown=1'])(
    'with %s is refused',
    async (query) => {
      const answer = await call('GET', `/api/v1/contacts?${query}`);
      expect(problemOf(answer)).toEqual({ status: 400, code: 'invalid_request' });
    },
  );
});
