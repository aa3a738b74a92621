import { randomUUID } from 'node:crypto';
import { startTestApi, type Answer, type CallOptions, type TestApi } from '../helpers/api.ts';
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

test('what is wrong with a name, an address or a slug is said in words', async () => {
  const json = { name: ' ', email: 'a@b', password, image: 'logo.png' };
  const wrong = [
    await api.call('POST', '/api/auth/sign-up/email', { json }),
    await owner.post('/organization/check-slug', { slug: 'Acme!' }),
  ].flatMap(({ body }) => body.errors as { path: string; message: string }[]);
  const messages = Object.fromEntries(wrong.map(({ path, message }) => [path, message]));
  expect(messages).toEqual({
    '/body/name':
      'must be one line that is not only spaces, without control characters and marks of text direction',
    '/body/email': 'must be an e-mail address, such as abebe@example.com',
    '/body/image': 'must be an http or https URL without spaces',
    '/body/slug': 'must be lower-case letters and digits, with single hyphens between them',
  });
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

const atoms = Array.from('!#$%&*/=?^`{|}~').map((sign) => `a${sign}b${sign}`);
test.each([...atoms, "o'neill@example.com", 'a@x.xn--p1ai', 'b@xn--j1ail.xn--j1amh'])(
  'an address is one of RFC 5322, section 3.2.3, also where the domain is international: %j',
  async (given) => {
    const email = given.includes('@') ? given : `${given}@${randomUUID()}.example.com`;
    const person = await signUp(api, { email });
    expect((await api.call('POST', '/api/auth/sign-in/email', { json: { email, password } })).status).toBe(
      200,
    );
    expect((await person.post('/request-password-reset', { email })).status).toBe(200);
    const unknown = { json: { email: `b${email}` } };
    expect((await api.call('POST', '/api/auth/send-verification-email', unknown)).status).toBe(200);
    const invited = { email: `c${email}`, role: 'member', organizationId };
    expect((await owner.post('/organization/invite-member', invited)).status).toBe(200);
  },
);

test.each([
  ['letters', 'x'],
  ['emoji, which are two UTF-16 units each', '🙂'],
])('a password has 8 to 128 characters: %s', async (_what, character) => {
  const email = `${randomUUID()}@example.com`;
  const signUpWith = async (characters: number) => {
    const json = { name: 'P', email, password: character.repeat(characters) };
    return (await api.call('POST', '/api/auth/sign-up/email', { json })).status;
  };
  expect([await signUpWith(7), await signUpWith(129), await signUpWith(128)]).toEqual([400, 400, 200]);
  const signIn = { email, password: character.repeat(128) };
  const { body } = await api.call('POST', '/api/auth/sign-in/email', { json: signIn });
  const change = { currentPassword: signIn.password, newPassword: character.repeat(127) + 'y' };
  const session = body.token as string;
  const changed = await api.call('POST', '/api/auth/change-password', { session, json: change });
  expect(changed.status).toBe(200);
});

const nothing: [what: string, write: (path: string, name: string) => CallOptions][] = [
  ['null', (path, name) => ({ json: fieldAt(path, name, null) })],
  ['empty', (path, name) => ({ json: fieldAt(path, name, '') })],
  ['empty in a form', (path, name) => ({ form: formField(path, name) })],
  ['empty in multipart', (path, name) => ({ multipart: formField(path, name) })],
];
const fieldAt = (path: string, name: string, value: unknown) =>
  path === '/update-user' ? { [name]: value } : { organizationId, data: { [name]: value } };
const formField = (path: string, name: string): Record<string, string> =>
  path === '/update-user' ? { [name]: '' } : { organizationId, [`data[${name}]`]: '' };

test.each(nothing)('a picture, a logo and metadata are taken off by %s', async (_how, write) => {
  const picture = 'https://example.com/picture.png';
  const { call, post, get } = owner;
  const change = (path: string, name: string) => call('POST', `/api/auth${path}`, write(path, name));
  expect((await post('/update-user', { image: picture })).status).toBe(200);
  const data = { logo: picture, metadata: '{"timezone":"Africa/Nairobi"}' };
  expect((await post('/organization/update', { organizationId, data })).body).toMatchObject(data);
  expect((await change('/update-user', 'image')).status).toBe(200);
  expect((await get('/get-session')).body.user).not.toHaveProperty('image');
  expect(await change('/organization/update', 'logo')).toMatchObject({ status: 200 });
  const withoutLogo = await get(`/organization/get-full-organization?organizationId=${organizationId}`);
  expect(withoutLogo.body).not.toHaveProperty('logo');
  expect(withoutLogo.body.metadata).toBe(data.metadata);
  expect((await change('/organization/update', 'metadata')).status).toBe(200);
  const cleared = await get(`/organization/get-full-organization?organizationId=${organizationId}`);
  expect(cleared.body.metadata).toBe('{}');
});

test('what is taken off beside a change is taken off', async () => {
  const picture = 'https://example.com/picture.png';
  await owner.post('/update-user', { image: picture });
  expect((await owner.post('/update-user', { name: 'Derartu', image: null })).status).toBe(200);
  const { user } = (await owner.get('/get-session')).body;
  expect([user.name, user.image]).toEqual(['Derartu', undefined]);
  await owner.post('/organization/update', { organizationId, data: { logo: picture } });
  const data = { name: 'Tulu', logo: null };
  const { body } = await owner.post('/organization/update', { organizationId, data });
  expect([body.name, body.logo]).toEqual(['Tulu', undefined]);
});

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
