import { startTestApi, type CallOptions, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { createTenant, type Tenant } from '../helpers/tenants.ts';

let db: TestDatabase;
let api: TestApi;
let tenant: Tenant;
let key: string;

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database });
  tenant = await createTenant(db.database);
  key = await tenant.createKey();
});
afterAll(async () => {
  await api.stop();
  await db.drop();
});

const urlencoded = 'application/x-www-form-urlencoded';

let contacts = 0;
test.each<[string, (fields: Record<string, string>) => CallOptions]>([
  ['JSON', (json) => ({ json })],
  ['urlencoded', (form) => ({ form })],
  ['multipart', (multipart) => ({ multipart })],
])('an empty required list in %s is refused, and removes no member', async (name, encode) => {
  const { organizationId } = tenant;
  const make = async (path: string, json: object) =>
    (await api.call('POST', path, { key, json: { organizationId, ...json } })).body.id as string;
  const contactId = await make('/api/v1/contacts', { phoneNumber: `+25191123456${(contacts += 1)}` });
  const members = `/api/v1/contact-lists/${await make('/api/v1/contact-lists', { name })}/members`;
  await api.call('PUT', members, { key, json: { organizationId, contactIds: [contactId] } });
  const { status, body } = await api.call('PUT', members, {
    key,
    ...encode({ organizationId, contactIds: '' }),
  });
  expect({ status, errors: body.errors }).toMatchObject({
    status: 400,
    errors: [{ path: '/body/contactIds', code: 'wrong_type' }],
  });
  const [left] = await db.query<{ count: number }>(
    'select count(*)::int as count from phonebook_members where contact_id = ?',
    [contactId],
  );
  expect(left!.count).toBe(1);
});

test.each([
  ['50% off', '50% off'],
  ['50%+off', '50% off'],
  ['%', '%'],
  ['%4', '%4'],
  ['%zz%41', '%zzA'],
  ['50%25', '50%'],
])('%j in an urlencoded body is the text %j', async (written, text) => {
  const { status, body } = await api.call('POST', '/api/v1/messages', {
    key,
    raw: { type: urlencoded, body: `to=0911234567&text=${written}` },
  });
  expect({ status, text: body.text }).toEqual({ status: 202, text });
});

test('bytes that are not UTF-8 in an urlencoded body are refused', async () => {
  const { status, body } = await api.call('POST', '/api/v1/messages', {
    key,
    raw: { type: urlencoded, body: 'to=0911234567&text=%ff' },
  });
  expect({ status, code: body.code }).toEqual({ status: 400, code: 'malformed_body' });
});

test('of two files in the field of one it is said that there may be one', async () => {
  const form = new FormData();
  form.append('organizationId', tenant.organizationId);
  for (const name of ['a.csv', 'b.csv']) form.append('file', new Blob(['phone\n']), name);
  const response = await fetch(`${api.baseUrl}/api/v1/contacts/import`, {
    method: 'POST',
    headers: { 'X-API-Key': key },
    body: form,
  });
  expect({ status: response.status, body: await response.json() }).toMatchObject({
    status: 400,
    body: { errors: [{ path: '/body/file', code: 'too_many', message: 'must be one file' }] },
  });
});
