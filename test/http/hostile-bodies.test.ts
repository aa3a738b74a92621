import type { ApiError } from '../../src/errors.ts';
import { countJsonValues, refuseOversize, roomFor } from '../../src/http/requests/body-room.ts';
import { loadContract } from '../../src/http/contract/contract.ts';
import { hasMoreValues } from '../../src/http/contract/validate-requests.ts';
import { startTestApi, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { createTenant } from '../helpers/tenants.ts';

let db: TestDatabase;
let api: TestApi;
let key: string;

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database });
  key = await (await createTenant(db.database)).createKey();
});
afterAll(async () => {
  await api.stop();
  await db.drop();
});

const { operations, resolve } = loadContract();
const members = '/api/v1/contact-lists/019aa3c0-1f4e-7a51-8f0a-5d1a2d0c9b11/members';
const organizationId = '019aa3c0-1f4e-7a51-8f0a-5d1a2d0c9b11';
const many = (count: number, of: (index: number) => string, by: string): string =>
  Array.from({ length: count }, (_none, index) => of(index)).join(by);
const urlencoded = 'application/x-www-form-urlencoded';
const json = 'application/json';
const multipart = (count: number, name: (index: number) => string): string =>
  `${many(count, (index) => `--b\r\nContent-Disposition: form-data; name="${name(index)}"\r\n\r\n1\r\n`, '')}--b--\r\n`;

const tooMany = { path: '/body', code: 'too_many' };
const rows: [what: string, target: string, type: string, body: () => string, first: object][] = [
  [
    'unknown fields',
    '/api/auth/sign-in/email',
    json,
    () => `{${many(95_000, (i) => `"f${i}":1`, ',')}}`,
    tooMany,
  ],
  ['empty members', members, json, () => `{"contactIds":[${many(2_000_000, () => '""', ',')}]}`, tooMany],
  [
    'arrays in metadata',
    '/api/v1/messages',
    json,
    () => `{"metadata":{"a":[${many(300_000, () => '[]', ',')}]}}`,
    tooMany,
  ],
  ['JSON in a field', members, urlencoded, () => `contactIds=[${many(500_000, () => '""', ',')}]`, tooMany],
  [
    'fields in brackets',
    '/api/v1/messages',
    urlencoded,
    () => many(70_000, () => 'metadata[x]=1', '&'),
    tooMany,
  ],
  ['ampersands', members, urlencoded, () => '&'.repeat(4_000_000), tooMany],
  ['names', members, urlencoded, () => many(50_000, (i) => `a${i}=1`, '&'), tooMany],
  [
    'parts',
    '/api/v1/messages',
    'multipart/form-data; boundary=b',
    () => multipart(5000, (i) => `metadata[${i}x]`),
    tooMany,
  ],
  [
    'an index',
    members,
    'multipart/form-data; boundary=b',
    () => multipart(1, () => 'contactIds[4294967294]'),
    {},
  ],
  [
    'unknown fields, some',
    '/api/auth/sign-in/email',
    json,
    () => `{${many(900, (i) => `"f${i}":1`, ',')}}`,
    { code: 'required' },
  ],
  [
    'a long unknown name',
    '/api/auth/sign-in/email',
    json,
    () => `{"${'x'.repeat(900_000)}":1}`,
    { code: 'required' },
  ],
  [
    'members of a wrong type',
    members,
    json,
    () => `{"organizationId":"${organizationId}","contactIds":[${many(100_000, () => '1', ',')}]}`,
    { path: '/body/contactIds/0', code: 'wrong_type' },
  ],
  [
    'members too many',
    members,
    json,
    () => `{"organizationId":"${organizationId}","contactIds":[${many(100_001, () => '""', ',')}]}`,
    { path: '/body/contactIds', code: 'too_many' },
  ],
];

test.each(rows)('a body full of %s is refused in few words', async (_what, target, type, body, first) => {
  const method = target === members ? 'PUT' : 'POST';
  const answer = await api.call(method, target, { key, raw: { type, body: body() } });
  expect({ status: answer.status, first: answer.body.errors?.[0] ?? {} }).toMatchObject({
    status: 400,
    first,
  });
  expect(JSON.stringify(answer.body).length).toBeLessThan(20_000);
  expect(answer.body.errors?.length ?? 0).toBeLessThanOrEqual(50);
});

test.each([
  [51, 50, true],
  [48, 50, false],
])('of %i unknown fields and two that are missing, %i errors are told', async (count, told, saysMore) => {
  const body = `{${many(count, (index) => `"f${index}":1`, ',')}}`;
  const answer = await api.call('POST', '/api/auth/sign-in/email', { raw: { type: json, body } });
  expect(answer.body.errors).toHaveLength(told);
  expect(/There are more/.test(answer.body.detail)).toBe(saysMore);
});

test('no array of a request is without a bound, and no body but the members list has room for much', () => {
  const rooms = operations.filter(({ bodyRoom }) => bodyRoom !== null);
  expect(rooms.length).toBeGreaterThan(50);
  for (const { operationId, bodyRoom } of rooms) {
    const isMembers = operationId === 'replacePhonebookMembers';
    expect({ operationId, ok: bodyRoom!.formFields <= (isMembers ? 102_000 : 2000) }).toEqual({
      operationId,
      ok: true,
    });
    expect({ operationId, ok: bodyRoom!.values <= (isMembers ? 102_000 : 25_000) }).toEqual({
      operationId,
      ok: true,
    });
  }
});

test('a body has room for what its schema describes', () => {
  const item = { type: 'array', maxItems: 7, items: { properties: { a: {}, b: {} } } };
  expect(roomFor({ properties: { list: item, free: { additionalProperties: true } } }, resolve)).toEqual({
    values: 1000 + 1 + (1 + 7 * 3) + (1 + 10_000),
    formFields: 1000 + 1 + (1 + 7 * 3) + 1,
  });
});

/** An array or text that counts how often it is looked into. */
function counted(length: number): { value: unknown[]; looks: () => number } {
  let looks = 0;
  const value = new Proxy(new Array<string>(length).fill(''), {
    get: (target, name) => {
      if (typeof name === 'string' && /^\d+$/.test(name)) looks += 1;
      return Reflect.get(target, name) as unknown;
    },
  });
  return { value, looks: () => looks };
}

test('arrays and texts that are too long are refused without being looked into', () => {
  const { value, looks } = counted(1_000_000);
  const schema = {
    properties: { list: { type: 'array', maxItems: 7 }, text: { type: 'string', maxLength: 5 } },
  };
  const refusalOf = (body: unknown): unknown => {
    try {
      refuseOversize(body, schema, resolve);
      return undefined;
    } catch (error) {
      return (error as ApiError).errors[0];
    }
  };
  expect(refusalOf({ list: value })).toMatchObject({ path: '/body/list', code: 'too_many' });
  expect(looks()).toBe(0);
  expect(refusalOf({ text: 'x'.repeat(11) })).toMatchObject({ path: '/body/text', code: 'too_long' });
  expect(refusalOf({ list: [1], text: '😀'.repeat(5) })).toBeUndefined();
});

test('counting ends where the bound is passed, however much follows', () => {
  const { value, looks } = counted(1_000_000);
  expect(hasMoreValues({ contactIds: value }, 1000)).toBe(true);
  expect(looks()).toBeLessThanOrEqual(1001);
  let read = 0;
  const bytes = new Proxy(Buffer.from('[,,,,,'.repeat(100_000)), {
    get: (target, name) => {
      if (typeof name === 'string' && /^\d+$/.test(name)) read += 1;
      return Reflect.get(target, name, target) as unknown;
    },
  });
  expect(countJsonValues(bytes, 1000)).toBe(1001);
  expect(read).toBeLessThanOrEqual(2002);
});

test.each([
  ['[]', 1],
  ['[[],{},[1]]', 5],
  ['5', 1],
  ['{"a":[1,2,{"b":"x,[{\\",\\\\"}]}', 6],
  ['"\\\\\\",[[["', 1],
])('the JSON %s counts as %i values', (text, values) => {
  expect(countJsonValues(Buffer.from(text), 1000)).toBe(values);
});
