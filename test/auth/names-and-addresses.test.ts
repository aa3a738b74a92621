import { randomUUID } from 'node:crypto';
import { startTestApi, type Answer, type TestApi } from '../helpers/api.ts';
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

const controls = ['\u0000', '\n', '\u001b', '\u007f', '\u0085', '\u2028', '\u202e', '\u2066', '\u2069'];
test.each(controls)('no name holds %j, which does something to the text around it', async (control) => {
  const name = `Abebe${control}Bikila`;
  const { call } = owner;
  const calls: [string, object][] = [
    ['/api/auth/organization/create', { name, slug: `name-${randomUUID()}` }],
    ['/api/auth/organization/update', { organizationId, data: { name } }],
    ['/api/auth/update-user', { name }],
    ['/api/auth/sign-up/email', { name, email: `${randomUUID()}@example.com`, password }],
  ];
  for (const [path, json] of calls) {
    const { status, body } = await call('POST', path, { json });
    expect({ path, status, at: body.errors?.[0].path }).toEqual({
      path,
      status: 400,
      at: path.endsWith('/update') ? '/body/data/name' : '/body/name',
    });
  }
});

test.each(['አበበ ቢቂላ', 'محمد', 'O’Neill 🙂', 'x'.repeat(80)])('a name may be %j', async (name) => {
  expect((await owner.post('/update-user', { name })).status).toBe(200);
  const key = { organizationId, environment: 'test', permissions: ['messages:read'], name };
  expect((await owner.call('POST', '/api/v1/api-keys/', { json: key })).status).toBe(201);
  const long = await owner.call('POST', '/api/v1/api-keys/', { json: { ...key, name: 'x'.repeat(81) } });
  expect(long.body.errors).toMatchObject([{ path: '/body/name', code: 'too_long' }]);
});

test.each(['a@b', 'a@b.c', '.a@example.com', 'a..b@example.com', 'a@-example.com', '"a b"@example.com'])(
  'an address that no mail goes to is a field that is wrong: %j',
  async (email) => {
    const calls: [string, object][] = [
      ['/organization/invite-member', { email, role: 'member', organizationId }],
      ['/sign-up/email', { name: 'N', email, password }],
      ['/sign-in/email', { email, password }],
      ['/request-password-reset', { email }],
      ['/send-verification-email', { email }],
    ];
    for (const [path, json] of calls) {
      const { body } = await owner.post(path, json);
      expect(body.errors[0]).toMatchObject({ path: '/body/email', code: 'wrong_format' });
      expect({ path, body }).toMatchObject({
        path,
        body: { status: 400, code: 'invalid_request' },
      });
    }
  },
);

test.each<[what: string, ask: () => Promise<Answer>, at: string, code: string]>([
  ['no change of a user', () => owner.post('/update-user', {}), '/body', 'too_few'],
  [
    'no change of an organization',
    () => owner.post('/organization/update', { organizationId, data: {} }),
    '/body/data',
    'too_few',
  ],
  [
    'a link of a mail without the page it leads to',
    () => api.call('GET', '/api/auth/reset-password/x'),
    '/query/callbackURL',
    'required',
  ],
])('%s is a field that is missing', async (_what, ask, path, code) => {
  const { body } = await ask();
  expect(body).toMatchObject({ status: 400, code: 'invalid_request', errors: [{ path, code }] });
});

const metadata: [text: string, code: string | null][] = [
  ['{"crm":{"id":"A-1","n":1.5,"none":null}}', null],
  ['{}', null],
  ['{"timezone":"Asia/Kathmandu"}', null],
  ['{"timezone":"Mars/Olympus"}', 'unknown_timezone'],
  ['{bad', 'wrong_format'],
  ['[1]', 'wrong_format'],
  ['null', 'wrong_format'],
  ['"text"', 'wrong_format'],
  ['{"n":1e400}', 'not_exact'],
  ['{"n":9007199254740993}', 'not_exact'],
  ['{"__proto__":{"a":1}}', 'unknown_field'],
  [String.raw`{"a":"\u0000"}`, 'invalid_characters'],
  [String.raw`{"a":"\ud800"}`, 'invalid_characters'],
];
test.each(metadata)('metadata come back as they were sent, or not at all: %j', async (text, code) => {
  const created = await owner.post('/organization/create', {
    ...{ name: 'M', slug: `metadata-${randomUUID()}`, metadata: text, keepCurrentActiveOrganization: true },
  });
  const updated = await owner.post('/organization/update', { organizationId, data: { metadata: text } });
  if (code === null) {
    expect([created.status, updated.status]).toEqual([200, 200]);
    expect(JSON.parse(created.body.metadata as string)).toEqual(JSON.parse(text));
    expect(JSON.parse(updated.body.metadata as string)).toEqual(JSON.parse(text));
    return;
  }
  for (const [answer, path] of [
    [created, '/body/metadata'],
    [updated, '/body/data/metadata'],
  ] as const) {
    expect(problemOf(answer)).toEqual({ status: 400, code: 'invalid_request' });
    expect(answer.body.errors[0].path).toMatch(new RegExp(`^${path}`));
    expect(answer.body.errors[0].code).toBe(code);
  }
});
