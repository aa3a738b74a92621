import { startTestApi, type TestApi } from '../helpers/api.ts';
import { openBrowser, type Page } from '../helpers/browser.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { findFreePort, oidcClient, startOidcProvider } from '../helpers/oidc-provider.ts';
import { createOrganization, problemOf, signUp } from '../helpers/people.ts';
import { until } from '../helpers/until.ts';

let db: TestDatabase;
let api: TestApi;
let provider: { stop: () => Promise<void> };
let issuer: string;
let port: number;

beforeAll(async () => {
  db = await createTestDatabase();
  port = await findFreePort();
  issuer = `http://127.0.0.1:${port}`;
  api = await startTestApi({ database: db.database, auth: { oidc: { id: 'oidc', issuer, ...oidcClient } } });
}, 30_000);
afterAll(async () => {
  await provider?.stop();
  await api.stop();
  await db.drop();
});

const start = (provider_ = 'oidc', more: object = {}) => ({
  json: { provider: provider_, callbackURL: '/docs/api', errorCallbackURL: '/health', ...more },
});

/** Signs in as `name` at the provider, from our endpoint to the page where it ends. */
async function signInAt(browser: ReturnType<typeof openBrowser>, name: string): Promise<Page> {
  const begun = await browser.go(`${api.baseUrl}/api/auth/sign-in/social`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(start().json),
  });
  return signInOn(browser, name, await browser.go((JSON.parse(begun.text) as { url: string }).url));
}

/** Fills in the forms of the provider, from its first page to the page where they end. */
async function signInOn(browser: ReturnType<typeof openBrowser>, name: string, first: Page): Promise<Page> {
  let page = first;
  for (let forms = 0; page.url.origin === issuer && page.text.includes('<form'); forms += 1) {
    if (forms === 4) throw new Error(`The provider asks on and on: ${page.text}`);
    page = await browser.submit(
      page,
      page.text.includes('name="login"') ? { login: name, password: 'any' } : {},
    );
  }
  return page;
}

const userOf = async (browser: ReturnType<typeof openBrowser>) => {
  const { text } = await browser.go(`${api.baseUrl}/api/auth/get-session`);
  return (JSON.parse(text) as { user: Record<string, unknown> } | null)?.user;
};

test('a provider that is away is a 503 that ends when the provider is back, without a restart', async () => {
  expect(problemOf(await api.call('POST', '/api/auth/sign-in/social', start()))).toEqual({
    status: 503,
    code: 'provider_unavailable',
  });
  expect((await signUp(api)).userId).toBeDefined();
  provider = await startOidcProvider(port, `${api.baseUrl}/api/auth/callback/oidc`);
  const begun = await until('the provider is found', async () => {
    const answer = await api.call('POST', '/api/auth/sign-in/social', start());
    return answer.status === 200 && answer;
  });
  expect(begun.body).toMatchObject({ redirect: true });
  const url = new URL(begun.body.url as string);
  expect(url.origin).toBe(issuer);
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    response_type: 'code',
    client_id: 'sms',
    code_challenge_method: 'S256',
    redirect_uri: `${api.baseUrl}/api/auth/callback/oidc`,
    nonce: expect.any(String),
    state: expect.any(String),
  });
}, 30_000);

test('the authorization code flow ends in a session, a user and a linked account; again, in the same user', async () => {
  const browser = openBrowser();
  const page = await signInAt(browser, 'haile');
  expect(page.url.href).toBe(`${api.baseUrl}/docs/api`);
  const user = await userOf(browser);
  expect(user).toMatchObject({
    name: 'Person haile',
    email: 'haile@idp.example',
    emailVerified: true,
    role: 'user',
  });
  expect(user).not.toHaveProperty('image');
  const accounts = await browser.go(`${api.baseUrl}/api/auth/list-accounts`);
  expect(JSON.parse(accounts.text)).toMatchObject([
    { providerId: 'oidc', accountId: 'haile', userId: user!['id'] },
  ]);

  const another = openBrowser();
  await signInAt(another, 'haile');
  expect((await userOf(another))!['id']).toBe(user!['id']);
  const stored = await db.query<Record<string, string>>(`select * from accounts where provider_id = 'oidc'`);
  expect(stored).toHaveLength(1);
  expect(stored[0]).toMatchObject({
    access_token: null,
    refresh_token: null,
    id_token: null,
    password: null,
  });
}, 30_000);

test('who is invited, and signs in for the first time with an address that the provider vouches for, is told of it', async () => {
  const host = await signUp(api);
  const { organizationId } = await createOrganization(host);
  const { body } = await host.post('/organization/invite-member', {
    ...{ email: 'invited@idp.example', role: 'member', organizationId },
  });
  const browser = openBrowser();
  for (let times = 0; times < 2; times += 1) {
    await signInAt(browser, 'invited');
    const { text } = await browser.go(`${api.baseUrl}/api/v1/notifications`);
    expect(JSON.parse(text)).toMatchObject({
      data: [{ kind: 'invitation_received', subjectId: body.id }],
      unreadCount: 1,
    });
  }
}, 30_000);

test('an address both sides have confirmed links the account to its user', async () => {
  const person = await signUp(api, { email: 'tirunesh@idp.example' });
  const browser = openBrowser();
  await signInAt(browser, 'tirunesh');
  expect((await userOf(browser))!['id']).toBe(person.userId);
}, 30_000);

test.each<[what: string, name: string, confirm: boolean]>([
  ['the provider has not confirmed', 'unconfirmed-kenenisa', true],
  ['was never confirmed here', 'derartu', false],
])(
  'an address that %s links nothing',
  async (_what, name, confirm) => {
    await signUp(api, { email: `${name}@idp.example`, confirm });
    const browser = openBrowser();
    const page = await signInAt(browser, name);
    expect(page.url.href).toBe(`${api.baseUrl}/health?error=account_not_linked`);
    expect(await userOf(browser)).toBeUndefined();
  },
  30_000,
);

test.each([
  ['a banned user links nothing', true],
  ['another user links the account', false],
])(
  'when the provider sends the browser back to finish a link, %s',
  async (_what, isBanned) => {
    const name = isBanned ? 'banned-derartu' : 'linking-derartu';
    const person = await signUp(api, { email: `${name}@idp.example` });
    const browser = openBrowser();
    const begun = await browser.go(`${api.baseUrl}/api/auth/link-social`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${person.token}` },
      body: JSON.stringify(start().json),
    });
    if (isBanned) await db.query('update users set banned = true where id = ?', [person.userId]);
    const page = await signInOn(
      browser,
      name,
      await browser.go((JSON.parse(begun.text) as { url: string }).url),
    );
    expect([page.url.pathname, page.url.searchParams.get('error')]).toEqual(
      isBanned ? ['/health', 'BANNED_USER'] : ['/docs/api', null],
    );
    const linked = `select from accounts where provider_id = 'oidc' and user_id = ?`;
    expect(await db.query(linked, [person.userId])).toHaveLength(isBanned ? 0 : 1);
  },
  30_000,
);

test('a banned user who signs in at the provider links nothing and gets no session', async () => {
  const person = await signUp(api, { email: 'banned-sileshi@idp.example' });
  await db.query('update users set banned = true where id = ?', [person.userId]);
  const browser = openBrowser();
  const page = await signInAt(browser, 'banned-sileshi');
  expect([page.url.pathname, page.url.searchParams.get('error')]).toEqual(['/health', 'BANNED_USER']);
  expect(await userOf(browser)).toBeUndefined();
  const linked = `select from accounts where provider_id = 'oidc' and user_id = ?`;
  expect(await db.query(linked, [person.userId])).toEqual([]);
}, 30_000);

test('an answer of the provider is taken once, from the browser that asked', async () => {
  const browser = openBrowser();
  await signInAt(browser, 'fatuma');
  const callback = browser.visited.find(({ pathname }) => pathname === '/api/auth/callback/oidc')!;
  for (const replayed of [openBrowser(), browser]) {
    const page = await replayed.go(callback);
    expect(page.url.pathname).toMatch(/\/errors\/?$/);
    expect(page.url.searchParams.get('error')).toMatch(/state/);
  }
}, 30_000);

test.each([
  ['/api/auth/callback/oidc', 'state_not_found'],
  ['/api/auth/callback/oidc?state=x&code=y', 'state_mismatch'],
  ['/api/auth/callback/oidc?error=access_denied&state=x', 'state_mismatch'],
  ['/api/auth/callback/nothing?state=x&code=y', 'state_mismatch'],
])('GET %s, which nobody asked for, ends at the catalogue: %s', async (path, error) => {
  const answer = await api.call('GET', path);
  const location = new URL(answer.headers.get('location')!);
  expect({ status: answer.status, page: location.origin + location.pathname }).toEqual({
    status: 302,
    page: `${api.baseUrl}/errors`,
  });
  expect(location.searchParams.get('error')).toBe(error);
});

test('a provider that is not configured, and a way back elsewhere, are refused', async () => {
  const google = await api.call('POST', '/api/auth/sign-in/social', start('google'));
  expect(problemOf(google)).toEqual({ status: 404, code: 'provider_not_found' });
  const elsewhere = await api.call(
    'POST',
    '/api/auth/sign-in/social',
    start('oidc', { callbackURL: 'https://evil.example' }),
  );
  expect(problemOf(elsewhere)).toEqual({ status: 403, code: 'invalid_callback_url' });
});

test('google and github are offered when they are configured', async () => {
  const client = { clientId: 'id', clientSecret: 'secret' };
  const other = await startTestApi({ database: db.database, auth: { google: client, github: client } });
  for (const [name, host] of [
    ['google', 'accounts.google.com'],
    ['github', 'github.com'],
  ] as const) {
    const { body } = await other.call('POST', '/api/auth/sign-in/social', start(name));
    const url = new URL(body.url as string);
    expect(url.host).toBe(host);
    expect(url.searchParams.get('redirect_uri')).toBe(`${other.baseUrl}/api/auth/callback/${name}`);
  }
  await other.stop();
});

test.each(['json', 'form', 'multipart'] as const)('a social sign-in begins by %s', async (encoding) => {
  const answer = await api.call('POST', '/api/auth/sign-in/social', {
    [encoding]: { provider: 'oidc', callbackURL: '/docs/api' },
  });
  expect(answer.body).toMatchObject({ redirect: true, url: expect.stringContaining(issuer) });
});
