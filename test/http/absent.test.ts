/** A test over openapi.yaml: what is null or empty is as good as not given, in every endpoint and encoding. */
import { typesOf } from '../../src/http/requests/drop-absent.ts';
import { loadContract, type Operation } from '../../src/http/contract/contract.ts';
import type { JsonSchema } from '../../src/http/contract/json-schema.ts';
import { startTestApi, type Answer, type CallOptions, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { createOperationCaller, type OperationCaller } from '../helpers/operations.ts';
import { createTenant, type Tenant } from '../helpers/tenants.ts';

let db: TestDatabase;
let api: TestApi;
let caller: OperationCaller;
let tenant: Tenant;
let key: string;

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database });
  tenant = await createTenant(db.database);
  caller = await createOperationCaller(api, db);
  key = await tenant.createKey();
});
afterAll(async () => {
  await api.stop();
  await db.drop();
});

const contract = loadContract();
const named = (operations: Operation[]): [string, Operation][] =>
  operations.map((operation) => [`${operation.method} ${operation.path}`, operation]);

type Body = Record<string, unknown>;

/** The optional fields of a schema that it gives no meaning of null, those within its objects too. */
function optionalFields(schema: JsonSchema, value: (types: string[]) => unknown): Body {
  const { properties = {}, required = [] } = contract.resolve(schema);
  const body: Body = {};
  for (const [name, property] of Object.entries(properties)) {
    const types = typesOf(property, contract);
    const inner = optionalFields(property, value);
    if (required.includes(name)) {
      if (Object.keys(inner).length > 0) body[name] = inner;
    } else if (!types.includes('null')) {
      const given = value(types);
      if (given !== undefined) body[name] = given;
    }
  }
  return body;
}

const bracketed = (body: Body): [string, string][] =>
  Object.entries(body).flatMap(([name, value]): [string, string][] =>
    typeof value === 'object' && value !== null
      ? bracketed(value as Body).map(([inner, text]) => [`${name}[${inner}]`, text])
      : [[name, String(value)]],
  );

/** Without the required objects that hold optional fields: empty in JSON, they are there, in a form they are not. */
const outcome = ({ status, body }: Answer): unknown => ({
  status,
  code: body?.code,
  errors: (body?.errors as { path: string; code: string }[] | undefined)
    ?.map(({ path, code }) => `${path} ${code}`)
    .filter((error) => !/^\/body\/(data|response)\b/.test(error)),
});

test.each(named(contract.operations.filter(({ bodySchema }) => bodySchema !== undefined)))(
  '%s takes an optional field that is null or empty as not given, in all encodings',
  async (_name, operation) => {
    const schema = operation.bodySchema!;
    const nulls = optionalFields(schema, () => null);
    const emptyTexts = optionalFields(schema, (types) => (types.includes('string') ? '' : undefined));
    const empty = bracketed(optionalFields(schema, () => ''));
    const answers: Record<string, CallOptions> = {
      'null in JSON': { json: nulls },
      'empty in JSON': { json: emptyTexts },
      'empty in a form': { form: new URLSearchParams(empty) },
      'empty in multipart': { multipart: Object.fromEntries(empty) },
    };
    if (empty.length === 0) return;
    const notGiven = outcome(await caller.call(operation, { json: {} }));
    for (const [what, options] of Object.entries(answers)) {
      expect({ what, outcome: outcome(await caller.call(operation, options)) }).toEqual({
        what,
        outcome: notGiven,
      });
    }
  },
);

test.each(named(contract.operations.filter(({ queryParameters }) => queryParameters.size > 0)))(
  '%s takes an optional parameter that is empty as not given',
  async (_name, operation) => {
    if (/stream|events/.test(operation.path)) return;
    const optional = [...operation.queryParameters].filter(([, { required }]) => !required);
    const query = optional.map(([name]) => `${name}=`).join('&');
    const [notGiven, empty] = [await caller.call(operation), await caller.call(operation, { query })];
    expect(outcome(empty)).toEqual(outcome(notGiven));
  },
);

/** Each optional field of these, in every way in which it can be said that it is not given. */
const message = { to: '0911234567', text: 'x', from: 'ACME' };
const ofTenant = () => ({ organizationId: tenant.organizationId });
test.each<[string, string, () => Body, Record<string, unknown>]>([
  [
    '/api/v1/messages',
    'webhook',
    () => ({ ...message, webhook: { url: 'https://example.com/' } }),
    { 'webhook/secret': '' },
  ],
  ['/api/v1/messages', 'metadata', () => message, { metadata: '', webhook: '' }],
  [
    '/api/v1/security-codes/send',
    'code',
    () => ({ to: '0922345678' }),
    { 'code/type': '', 'code/length': '', ttlSeconds: '' },
  ],
  [
    '/api/v1/messages/schedule',
    'recurrence',
    () => ({ ...message, scheduleType: 'once', startsAt: '2999-01-01T00:00:00Z' }),
    { recurrence: '', endsAt: '' },
  ],
  [
    '/api/v1/campaigns',
    'sender',
    () => ({ ...ofTenant(), name: 'x' }),
    { sender: '', description: '', status: '' },
  ],
  [
    '/api/v1/contacts',
    'tags',
    () => ({ ...ofTenant(), phoneNumber: newNumber() }),
    { tags: '', customFields: '', email: '' },
  ],
  [
    '/api/v1/inbound/keywords',
    'sender',
    () => ({ keyword: newNumber(), response: 'x' }),
    { sender: '', matchType: '', enabled: '' },
  ],
  [
    '/api/v1/sender-ids',
    'website',
    () => ({ value: `S${newNumber().slice(-8)}`, useCase: 'For the tests.', sampleMessage: 'x' }),
    { website: '' },
  ],
])('POST %s makes the same with %s null, empty or not given', async (path, _field, base, empty) => {
  const nested = (value: (text: unknown) => unknown): Body => {
    const body: Body = { ...base() };
    for (const [name, text] of Object.entries(empty)) {
      const [outer = '', inner] = name.split('/');
      if (inner === undefined) body[outer] = value(text);
      else body[outer] = { ...(body[outer] as Body), [inner]: value(text) };
    }
    return body;
  };
  const requests: CallOptions[] = [
    { json: base() },
    { json: nested(() => null) },
    { form: new URLSearchParams(bracketed(nested((text) => text))) },
    { multipart: Object.fromEntries(bracketed(nested((text) => text))) },
  ];
  const records: Body[] = [];
  for (const request of requests) {
    const { status, body } = await api.call('POST', path, { key, ...request });

    expect(status).toBeLessThan(300);
    records.push(Object.fromEntries(Object.entries(body as Body).filter(([name]) => !isOfOne(name))));
  }
  for (const record of records) expect(record).toEqual(records[0]);
});

let numbers = 0;
const newNumber = (): string => `+2519${String((numbers += 1)).padStart(8, '0')}`;

/** What is another of each record, whatever was asked for. */
function isOfOne(name: string): boolean {
  return /^(id|.+Id|.+At|to|phoneNumber|keyword|value)$/.test(name);
}

test.each([
  ['null', { json: { expiresAt: null } }],
  ['empty in JSON', { json: { expiresAt: '' } }],
  ['empty in a form', { form: { expiresAt: '' } }],
  ['empty in multipart', { multipart: { expiresAt: '' } }],
])('an expiry of a key that is %s is lifted, and one that is not given stays', async (_what, options) => {
  const { body: made } = await caller.call(operationCalled('createApiKey'), {
    json: {
      ...(await ownOrganization()),
      name: 'x',
      environment: 'test',
      permissions: ['messages:read'],
      expiresAt: '2999-01-01T00:00:00Z',
    },
  });
  const change = { ...operationCalled('updateApiKey'), path: `/api/v1/api-keys/${made.id}` };
  const organization = await ownOrganization();
  const kept = await caller.call(change, { json: { ...organization, name: 'y' } });
  expect(kept.body.expiresAt).toBe('2999-01-01T00:00:00.000Z');
  const [[encoding, fields]] = Object.entries(options) as [[string, object]];
  const lifted = await caller.call(change, { [encoding]: { ...organization, ...fields } });
  expect({ status: lifted.status, expiresAt: lifted.body.expiresAt }).toEqual({
    status: 200,
    expiresAt: null,
  });
});

const operationCalled = (id: string): Operation =>
  contract.operations.find(({ operationId }) => operationId === id)!;

async function ownOrganization(): Promise<{ organizationId: string }> {
  const { body } = await caller.call(operationCalled('listOrganizations'));
  return { organizationId: body[0].id as string };
}

test('a text of a contact that is null or empty is emptied, and one that is not given stays', async () => {
  const fields = { firstName: 'Abebe', company: 'ACME', tags: ['a'] };
  const contact = { ...ofTenant(), phoneNumber: newNumber() };
  const { body: made } = await api.call('POST', '/api/v1/contacts', { key, json: { ...contact, ...fields } });
  const change = async (options: CallOptions): Promise<Body> =>
    (await api.call('PATCH', `/api/v1/contacts/${made.id}`, { key, ...options })).body as Body;
  expect(await change({ json: contact })).toMatchObject(fields);
  expect(await change({ json: { ...contact, firstName: null } })).toMatchObject({
    ...fields,
    firstName: null,
  });
  expect(await change({ form: { ...contact, company: '', tags: '' } })).toMatchObject({
    company: null,
    tags: [],
  });
});

test('what callers call by names of their own stays as it is, null and empty too', async () => {
  const metadata = { a: null, b: '', c: { d: null } };
  const answer = await api.call('POST', '/api/v1/messages', { key, json: { ...message, metadata } });
  expect(answer.body.metadata).toEqual(metadata);
});

test.each([
  ['null', { to: '0911234567', text: null }, '/body/text'],
  ['empty', { to: '0911234567', text: '' }, '/body/text'],
  ['null within', { ...message, webhook: { url: null } }, '/body/webhook/url'],
])('a required field that is %s is an error', async (_what, json, path) => {
  const { status, body } = await api.call('POST', '/api/v1/messages', { key, json });
  expect({ status, path: body.errors[0].path }).toEqual({ status: 400, path });
});
