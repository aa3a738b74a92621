import * as fc from 'fast-check';
import { loadContract } from '../../src/http/contract/contract.ts';
import { decodeForm } from '../../src/http/requests/decode-form.ts';
import { startTestApi, type Answer, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { createTenant } from '../helpers/tenants.ts';

let db: TestDatabase;
let api: TestApi;
let organizationId: string;
let key: string;

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database });
  const tenant = await createTenant(db.database);
  [organizationId, key] = [tenant.organizationId, await tenant.createKey()];
});
afterAll(async () => {
  await api.stop();
  await db.drop();
});

type Field = [name: string, value: string];
type Body = Record<string, unknown>;

let contacts = 0;
/** Creates a contact of the same fields in each form, and of the JSON. Returns the answers. */
async function createInEach(fields: Field[], json?: Body): Promise<{ encoding: string; answer: Answer }[]> {
  const required = (): Field[] => [
    ['organizationId', organizationId],
    ['phoneNumber', `+2519${String((contacts += 1)).padStart(8, '0')}`],
  ];
  const bodies = {
    urlencoded: { form: new URLSearchParams([...required(), ...fields]) },
    multipart: { multipart: [...required(), ...fields] },
    ...(json && { json: { json: { ...Object.fromEntries(required()), ...json } } }),
  };
  const answers = [];
  for (const [encoding, body] of Object.entries(bodies)) {
    answers.push({ encoding, answer: await api.call('POST', '/api/v1/contacts', { key, ...body }) });
  }
  return answers;
}

test.each<[what: string, fields: Field[], json: Body]>([
  ['a year', [['customFields[2024]', 'x']], { customFields: { 2024: 'x' } }],
  ['0', [['customFields[0]', 'x']], { customFields: { 0: 'x' } }],
  ['a number with zeros', [['customFields[007]', 'x']], { customFields: { '007': 'x' } }],
  ['a large number', [['customFields[4294967295]', 'x']], { customFields: { 4294967295: 'x' } }],
  [
    'numbers and words',
    [
      ['customFields[1]', 'x'],
      ['customFields[a]', 'y'],
      ['customFields[0]', 'z'],
    ],
    { customFields: { 1: 'x', a: 'y', 0: 'z' } },
  ],
  ['years within', [['customFields[paid][2024]', 'x']], { customFields: { paid: { 2024: 'x' } } }],
  [
    'numbers within that do not count from 0',
    [
      ['customFields[paid][2]', 'x'],
      ['customFields[paid][1]', 'y'],
    ],
    { customFields: { paid: { 1: 'y', 2: 'x' } } },
  ],
  [
    'numbers within that count from 0',
    [
      ['customFields[paid][1]', 'y'],
      ['customFields[paid][0]', 'x'],
    ],
    { customFields: { paid: ['x', 'y'] } },
  ],
  [
    'objects in a list within',
    [
      ['customFields[lines][0][a]', '1'],
      ['customFields[lines][1][a]', '2'],
      ['customFields[lines][0][b]', '3'],
    ],
    {
      customFields: {
        lines: [{ a: '1', b: '3' }, { a: '2' }],
      },
    },
  ],
  ['a list within, of one', [['customFields[a][]', 'x']], { customFields: { a: ['x'] } }],
  [
    'a name within that is repeated',
    [
      ['customFields[a]', 'x'],
      ['customFields[a]', ''],
    ],
    { customFields: { a: ['x', ''] } },
  ],
  ['an empty value', [['customFields[a]', '']], { customFields: { a: '' } }],
  ['Ethiopic', [['customFields[ከተማ]', 'አዳማ']], { customFields: { ከተማ: 'አዳማ' } }],
  ['other characters', [['customFields[a "b"\r\n&=+.%]', 'x']], { customFields: { 'a "b"\r\n&=+.%': 'x' } }],
  ['a dot', [['customFields[a.b]', 'x']], { customFields: { 'a.b': 'x' } }],
  [
    'names of every object',
    [
      ['customFields[constructor]', 'x'],
      ['customFields[toString][prototype]', 'y'],
      ['customFields[hasOwnProperty]', 'z'],
    ],
    { customFields: { constructor: 'x', toString: { prototype: 'y' }, hasOwnProperty: 'z' } },
  ],
  ['JSON', [['customFields', '{"a[b":{"0":1}}']], { customFields: { 'a[b': { 0: 1 } } }],
  ['a list', [['tags[]', 'a']], { tags: ['a'] }],
  ['a list without brackets', [['tags', 'a']], { tags: ['a'] }],
  [
    'a list in every way',
    [
      ['tags', 'c'],
      ['tags[]', 'd'],
      ['tags[1]', 'b'],
      ['tags', 'e'],
      ['tags[0]', 'a'],
    ],
    { tags: ['a', 'b', 'c', 'd', 'e'] },
  ],
  [
    'an item before its position',
    [
      ['tags[1]', 'b'],
      ['tags[]', 'a'],
    ],
    { tags: ['a', 'b'] },
  ],
  ['a position', [['tags[5]', 'a']], { tags: ['a'] }],
  [
    'positions out of order',
    [
      ['tags[10]', 'c'],
      ['tags[9]', 'b'],
      ['tags[1000000]', 'd'],
      ['tags[0]', 'a'],
    ],
    { tags: ['a', 'b', 'c', 'd'] },
  ],
  ['JSON in a list', [['tags', '["a","b"]']], { tags: ['a', 'b'] }],
  ['what looks like JSON as an item', [['tags[]', '["a","b"]']], { tags: ['["a","b"]'] }],
  ['an empty list', [['tags', '']], {}],
])('names mean the same in both forms and in JSON: %s', async (_what, fields, json) => {
  for (const { encoding, answer } of await createInEach(fields, json)) {
    const { customFields, tags } = answer.body;
    expect({ encoding, status: answer.status, customFields, tags }).toEqual({
      ...{ encoding, status: 201, customFields: {}, tags: [] },
      ...json,
    });
  }
});

const unreadable = (name: string) => ({ path: `/body/${name}`, code: 'unknown_field' });

test.each<[what: string, fields: Field[], first: object]>([
  ['an open bracket', [['customFields[a', '1']], unreadable('customFields[a')],
  ['text after brackets', [['customFields[a]b', '1']], unreadable('customFields[a]b')],
  ['text between brackets', [['customFields[a]b[c]', '1']], unreadable('customFields[a]b[c]')],
  ['brackets in brackets', [['customFields[a[b]]', '1']], unreadable('customFields[a[b]]')],
  ['a bracket too many', [['customFields[a]]', '1']], unreadable('customFields[a]]')],
  ['nothing before brackets', [['[a]', '1']], unreadable('[a]')],
  ['[] before the end', [['customFields[a][][b]', '1']], unreadable('customFields[a][][b]')],
  ['an unknown field', [['x[y][]', '1']], { path: '/body/x', code: 'unknown_field' }],
  ['a closing bracket', [['tags]', '1']], unreadable('tags]')],
  [
    'a whole and its parts',
    [
      ['customFields', '{"a":1}'],
      ['customFields[b]', '2'],
    ],
    { path: '/body/customFields', code: 'wrong_type' },
  ],
  [
    'a value and its parts',
    [
      ['customFields[a][b]', '2'],
      ['customFields[a]', '1'],
    ],
    { path: '/body/customFields/a', code: 'wrong_type' },
  ],
  [
    'positions and names',
    [
      ['tags[]', '1'],
      ['tags[a]', '2'],
    ],
    { path: '/body/tags', code: 'wrong_type' },
  ],
  ['a name in a list', [['tags[a]', '1']], { path: '/body/tags', code: 'wrong_type' }],
  ['a position with zeros', [['tags[00]', '1']], { path: '/body/tags', code: 'wrong_type' }],
  ['a list in a list', [['tags[0][]', '1']], { path: '/body/tags/0', code: 'wrong_type' }],
  [
    'a position twice',
    [
      ['tags[0]', 'a'],
      ['tags[0]', 'b'],
    ],
    { path: '/body/tags/0', code: 'wrong_type' },
  ],
  ['an item of an object', [['customFields[]', '1']], { path: '/body/customFields', code: 'wrong_type' }],
  ['a part of a text', [['firstName[a]', '1']], { path: '/body/firstName', code: 'wrong_type' }],
  ['a position in a text', [['firstName[0]', '1']], { path: '/body/firstName', code: 'wrong_type' }],
  ['the prototype', [['customFields[a][__proto__][b]', '1']], { path: '/body', code: 'unknown_field' }],
  ['too many levels', [[`customFields${'[a]'.repeat(21)}`, '1']], { path: '/body', code: 'too_deep' }],
  ['very many levels', [[`customFields${'['.repeat(500)}`, '1']], { path: '/body', code: 'too_deep' }],
])('both forms refuse with the same error: %s', async (_what, fields, first) => {
  const answers = await createInEach(fields);
  for (const { encoding, answer } of answers) {
    expect({ encoding, status: answer.status, body: answer.body }).toMatchObject({
      ...{ encoding, status: 400 },
      body: { code: 'invalid_request', errors: [first] },
    });
  }
  const [one, other] = answers.map(({ answer }) => ({ ...answer.body, requestId: '' }));
  expect(one).toEqual(other);
});

test('an object for which a form has no room comes as JSON in its field', async () => {
  const fields = Array.from({ length: 1300 }, (_none, index): Field => [`f${index}`, '']);
  const inBrackets = fields.map(([name, value]): Field => [`customFields[${name}]`, value]);
  for (const { encoding, answer } of await createInEach(inBrackets)) {
    expect({ encoding, status: answer.status }).toEqual({ encoding, status: 400 });
  }
  const asJson: Field[] = [['customFields', JSON.stringify(Object.fromEntries(fields))]];
  for (const { encoding, answer } of await createInEach(asJson)) {
    expect({ encoding, status: answer.status }).toEqual({ encoding, status: 201 });
    expect(Object.keys(answer.body.customFields)).toHaveLength(1300);
  }
});

test('both forms take as many numbered names', async () => {
  const numbered = (count: number): Field[] =>
    Array.from({ length: count }, (_none, index) => [`customFields[${5000 + index}]`, '']);
  for (const { encoding, answer } of await createInEach(numbered(900))) {
    expect({ encoding, status: answer.status }).toEqual({ encoding, status: 201 });
    expect(Object.keys(answer.body.customFields)).toHaveLength(900);
  }
  for (const { encoding, answer } of await createInEach(numbered(1001))) {
    expect({ encoding, status: answer.status, code: answer.body.code }).toEqual({
      ...{ encoding, status: 400, code: 'malformed_body' },
    });
  }
});

test.each([
  ['customFields[2024]', { customFields: { 2024: 'x' }, tags: [] }],
  ['tags[0]', { customFields: {}, tags: ['x'] }],
])('a part called %s may be sent as a file', async (name, expected) => {
  const form = new FormData();
  form.append('organizationId', organizationId);
  form.append('phoneNumber', `+2519${String((contacts += 1)).padStart(8, '0')}`);
  form.append(name, new Blob(['x']), 'blob');
  const response = await fetch(`${api.baseUrl}/api/v1/contacts`, {
    method: 'POST',
    headers: { 'X-API-Key': key },
    body: form,
  });
  expect({ status: response.status, body: await response.json() }).toMatchObject({
    status: 201,
    body: expected,
  });
});

test('an object of texts and objects is itself again after it was written with brackets', async () => {
  const contract = loadContract();
  const schema = { properties: { free: { type: 'object', additionalProperties: true } } };
  // A list within a free object is told from an object by names that count from 0, so none begins at 0 here.
  const name = fc.string({ minLength: 1 }).filter((text) => !/[[\]]|__proto__|^0$/.test(text));
  const { object } = fc.letrec<{ object: Body; value: unknown }>((tie) => ({
    object: fc.dictionary(name, tie('value'), { minKeys: 1, maxKeys: 5, noNullPrototype: true }),
    value: fc.oneof({ maxDepth: 4 }, fc.string(), tie('object')),
  }));
  const bracketed = (value: unknown, path: string): Field[] =>
    typeof value === 'string'
      ? [[path, value]]
      : Object.entries(value as Body).flatMap(([part, inner]) => bracketed(inner, `${path}[${part}]`));
  await fc.assert(
    fc.asyncProperty(object, async (free) => {
      const form = { pairs: bracketed(free, 'free'), bytes: 0 };
      expect(await decodeForm(form, schema, contract, 1000)).toEqual({ free });
    }),
  );
});
