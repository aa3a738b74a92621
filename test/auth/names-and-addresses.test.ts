import { randomUUID } from 'node:crypto';
import { startTestApi, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { createOrganization, password, problemOf, signUp, type Person } from '../helpers/people.ts';

let db: TestDatabase;
let api: TestApi;
let owner: Person;
let organizationId: string;

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database });
  owner = await signUp(api);
  ({ organizationId } = await createOrganization(owner));
});
afterAll(async () => {
  await api.stop();
  await db.drop();
});

const slugs: [slug: string, status: number][] = [
  ['acme', 200],
  ['acme-2', 200],
  ['a', 200],
  ['7', 200],
  ['../admin', 400],
  ['Acme', 400],
  ['acme logistics', 400],
  ['-acme', 400],
  ['acme-', 400],
  ['ac--me', 400],
  ['acme\n', 400],
  ['አክሜ', 400],
  ['', 400],
  ['a'.repeat(65), 400],
];
test.each(slugs)('a slug may be part of an address: %j', async (slug, status) => {
  const name = 'Slugs';
  expect((await owner.post('/organization/check-slug', { slug })).status).toBe(status);
  const created = await owner.post('/organization/create', { name, slug });
  expect(created.status).toBe(status);
  if (status === 200) return;
  expect(problemOf(created)).toEqual({ status, code: 'invalid_request' });
  const data = { slug };
  expect((await owner.post('/organization/update', { organizationId, data })).status).toBe(400);
});

const urls: [url: string, isOne: boolean][] = [
  ['https://example.com/logo.png', true],
  ['HTTP://example.com', true],
  ['http://[::1]:8080/a?b#c', true],
  ['javascript:alert(1)', false],
  ['JavaScript:alert(1)', false],
  [' https://example.com/', false],
  ['data:text/html,x', false],
  ['//example.com/a', false],
  ['/logo.png', false],
  ['https:example.com', false],
  ['https:///example.com', false],
  ['https://example.com/a b', false],
  ['java\nscript:alert(1)', false],
  [`https://example.com/${'a'.repeat(2048)}`, false],
  ['', false],
];
test.each(urls)('images are http(s) URLs: %j', async (url, isOne) => {
  const status = isOne ? 200 : 400;
  const slug = `logo-${randomUUID()}`;
  const calls: [string, object][] = [
    ['/organization/create', { name: 'L', slug, logo: url }],
    ['/organization/update', { organizationId, data: { logo: url } }],
    ['/update-user', { image: url }],
    ['/sign-up/email', { name: 'I', email: `${randomUUID()}@example.com`, password, image: url }],
  ];
  for (const [path, json] of calls) {
    expect({ path, status: (await owner.post(path, json)).status }).toEqual({ path, status });
  }
});

test.each([' ', '\t\n', '\u00a0\u2003'])('no name is of spaces only: %j', async (name) => {
  const slug = `name-${randomUUID()}`;
  const calls: [string, object][] = [
    ['/organization/create', { name, slug }],
    ['/organization/update', { organizationId, data: { name } }],
    ['/update-user', { name }],
    ['/sign-up/email', { name, email: `${randomUUID()}@example.com`, password }],
  ];
  for (const [path, json] of calls) {
    expect({ path, ...problemOf(await owner.post(path, json)) }).toEqual({
      path,
      status: 400,
      code: 'invalid_request',
    });
  }
});
