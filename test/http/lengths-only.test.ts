/**
 * Where the specification gives a text a length and nothing else, nothing but the length is checked:
 * a text of spaces is a text.
 */
import { loadContract } from '../../src/http/contract/contract.ts';
import type { JsonSchema } from '../../src/http/contract/json-schema.ts';
import { startTestApi, type Answer, type TestApi } from '../helpers/api.ts';
import { makeSetting } from '../helpers/bulk.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { signUp, type Person } from '../helpers/people.ts';
import { createTenant, type Tenant } from '../helpers/tenants.ts';

const spaces = ' \t\r\n\u00a0\u2003\u2028\u3000 ';

let db: TestDatabase;
let api: TestApi;
let tenant: Tenant;
let key: string;
let owner: Person;

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database });
  tenant = await createTenant(db.database);
  key = await tenant.createKey();
  owner = await signUp(api);
  await db.query(
    `insert into members (id, organization_id, user_id, role, created_at) values (gen_random_uuid(), ?, ?, 'owner', now())`,
    [tenant.organizationId, owner.userId],
  );
});

afterAll(async () => {
  await api.stop();
  await db.drop();
});

const of = (fields: object) => ({ organizationId: tenant.organizationId, ...fields });
const post = (path: string, fields: object): Promise<Answer> =>
  api.call('POST', path, { key, json: of(fields) });
const tomorrow = (): string => new Date(Date.now() + 86_400_000).toISOString();

describe('a text of spaces is taken as it is', () => {
  const texts: [string, string, (text: string) => Promise<Answer>][] = [
    ['the text of a message', 'text', (text) => post('/api/v1/messages', { to: '0911234567', text })],
    [
      'the text of a schedule',
      'text',
      (text) =>
        post('/api/v1/messages/schedule', {
          to: '0911234567',
          text,
          scheduleType: 'once',
          startsAt: tomorrow(),
        }),
    ],
    [
      'the text of a batch',
      'text',
      async (text) => {
        const { campaignId, contactListId } = await makeSetting(api, db, { ...tenant, key }, 1);
        return post('/api/v1/bulk-sms/', { campaignId, contactListId, text });
      },
    ],
    ['the name of a phonebook', 'name', (name) => post('/api/v1/contact-lists/', { name })],
    [
      'the description of a phonebook',
      'description',
      (description) => post('/api/v1/contact-lists/', { name: 'x', description }),
    ],
    ['the name of a campaign', 'name', (name) => post('/api/v1/campaigns/', { name })],
    ['the name of a template', 'name', (name) => post('/api/v1/templates/', { name, content: 'x' })],
    ['the content of a template', 'content', (content) => post('/api/v1/templates/', { name: 'x', content })],
    [
      'the use case of a sender',
      'useCase',
      (useCase) => post('/api/v1/sender-ids', { value: 'Use-case', useCase, sampleMessage: 'x' }),
    ],
    [
      'the sample of a sender',
      'sampleMessage',
      (sampleMessage) =>
        post('/api/v1/sender-ids', { value: 'Sample', useCase: 'Tests of it.', sampleMessage }),
    ],
    ['a keyword', 'keyword', (keyword) => post('/api/v1/inbound/keywords', { keyword, response: 'x' })],
    [
      'the response to a keyword',
      'response',
      (response) => post('/api/v1/inbound/keywords', { keyword: 'x', response }),
    ],
    [
      'the name of a key',
      'name',
      (name) =>
        owner.call('POST', '/api/v1/api-keys/', {
          json: of({ name, environment: 'test', permissions: ['messages:send'] }),
        }),
    ],
  ];

  test.each(texts)('%s', async (_name, field, send) => {
    const text = field === 'useCase' ? spaces.repeat(2) : spaces;
    const { status, body } = await send(text);
    expect([201, 202]).toContain(status);
    expect(body[field]).toBe(text);
  });
});

describe('the schemas of bodies', () => {
  /** The patterns that a body of /api/v1 may have: of what the specification says itself, and of what it does not know. */
  const allowed: Record<string, string> = {
    '/code/length': 'an integer, or a numeric string',
    '/ttlSeconds': 'an integer, or a numeric string',
    '/maxAttempts': 'an integer, or a numeric string',
    '/recurrence/interval': 'an integer, or a numeric string',
    '/code': 'six digits',
    '/errorCode': 'of redrives, which are our own',
    '/destinations': 'of the controls of sending, which are our own',
    '/exemptPrefixes': 'of the watch of security codes, which is our own',
    '/prefixCaps/prefix': 'of the controls of sending, which are our own',
  };

  test('have no pattern that the specification does not give', () => {
    const contract = loadContract();
    const found = new Set<string>();
    const walk = (unresolved: JsonSchema, path: string): void => {
      const schema = contract.resolve(unresolved) as JsonSchema & { pattern?: string; allOf?: JsonSchema[] };
      if (schema.pattern !== undefined) found.add(path);
      for (const part of schema.allOf ?? []) walk(part, path);
      if (schema.items) walk(schema.items, path);
      for (const [name, property] of Object.entries(schema.properties ?? {}))
        walk(property, `${path}/${name}`);
    };
    for (const { path, bodySchema } of contract.operations) {
      if (path.startsWith('/api/v1/') && bodySchema) walk(bodySchema, '');
    }
    expect([...found].toSorted()).toEqual(Object.keys(allowed).toSorted());
  });

  test('let every search have 500 characters', () => {
    const { paths } = loadContract().document as unknown as {
      paths: Record<string, { get?: { parameters?: { name?: string; schema?: { maxLength?: number } }[] } }>;
    };
    const searches = Object.values(paths).flatMap(
      ({ get }) => get?.parameters?.filter(({ name }) => name === 'search') ?? [],
    );
    expect(searches.length).toBeGreaterThan(5);
    expect(searches.map(({ schema }) => schema?.maxLength)).toEqual(searches.map(() => 500));
  });
});

test.each([
  '/api/v1/contacts',
  '/api/v1/contacts/export',
  '/api/v1/templates',
  '/api/v1/campaigns',
  '/api/v1/suppressions',
])('%s takes a search of 500 characters, and none of 501', async (path) => {
  const search = (length: number) => api.call('GET', `${path}?search=${'x'.repeat(length)}`, { key });
  expect((await search(500)).status).toBe(200);
  expect((await search(501)).status).toBe(400);
});
