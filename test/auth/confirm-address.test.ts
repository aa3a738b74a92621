import { startTestApi, type CallOptions, type TestApi } from '../helpers/api.ts';
import { openBrowser } from '../helpers/browser.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { createOrganization, linkMailed, problemOf, signUp } from '../helpers/people.ts';

const trusted = 'https://console.example.com';

let db: TestDatabase;
let api: TestApi;
const lines: string[] = [];

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({
    database: db.database,
    auth: { trustedOrigins: [trusted] },
    log: (line) => lines.push(line),
  });
});

afterAll(async () => {
  await api.stop();
  await db.drop();
});

const isConfirmed = async (email: string): Promise<boolean> => {
  const [user] = await db.query<{ verified: boolean }>(
    'select email_verified as verified from users where email = ?',
    [email],
  );
  return user!.verified;
};

/** Someone who has not confirmed their address, and the link of the mail that asks for it. */
async function signUpUnconfirmed() {
  const { email } = await signUp(api, { confirm: false });
  const link = await linkMailed(api, email, '/verify-email');
  return { email, link, token: new URL(link, api.baseUrl).searchParams.get('token')! };
}

/** Every row of the tables that belong to accounts. */
async function everyRow(): Promise<string> {
  const tables = [
    'users',
    'accounts',
    'sessions',
    'verifications',
    'organizations',
    'members',
    'invitations',
  ];
  return JSON.stringify(
    await Promise.all(tables.map((table) => db.query(`select * from ${table} order by id`))),
  );
}

test('to follow a link of any mail, as scanners of mails do, changes nothing', async () => {
  const { email, link } = await signUpUnconfirmed();
  await api.call('POST', '/api/auth/request-password-reset', { json: { email, redirectTo: '/' } });
  await linkMailed(api, email, '/reset-password/');
  const inviter = await signUp(api);
  await createOrganization(inviter, [{ person: await signUp(api), role: 'member' }]);
  const links = api.mails.flatMap(({ text }) => text.match(/https?:\/\/[^\s)]+/g) ?? []);
  expect(new Set(links.map((url) => new URL(url).pathname.split('/')[3]))).toEqual(
    new Set(['verify-email', 'reset-password', 'organization', undefined]),
  );
  const before = await everyRow();
  for (const url of links) {
    const { pathname, search } = new URL(url);
    for (const method of ['GET', 'HEAD', 'GET']) await api.call(method, pathname + search);
  }
  expect(await everyRow()).toBe(before);
  expect((await api.call('GET', link)).status).toBe(200);
  expect(await isConfirmed(email)).toBe(false);
});

test('the page of the link confirms by its form, without a script, and leads on', async () => {
  const email = `${Date.now()}@example.com`;
  await api.call('POST', '/api/auth/sign-up/email', {
    json: { name: 'A', email, password: 'a long password', callbackURL: '/docs/api' },
  });
  const browser = openBrowser();
  const page = await browser.go(api.baseUrl + (await linkMailed(api, email, '/verify-email')));
  expect(page.text).not.toMatch(/<script|\son\w+=|style=/i);
  const after = await browser.submit(page, {});
  expect(after.url.href).toBe(`${api.baseUrl}/docs/api`);
  expect(await isConfirmed(email)).toBe(true);
});

test('the page gives its token to nobody: not to what it loads, where it leads, or the log', async () => {
  const { link, token } = await signUpUnconfirmed();
  const { headers, body } = await api.call('GET', link);
  expect(headers.get('content-type')).toMatch(/^text\/html/);
  expect(headers.get('content-security-policy')).toBe(
    `default-src 'none'; base-uri 'none'; form-action 'self' ${trusted}; frame-ancestors 'none'`,
  );
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.getSetCookie()).toEqual([]);
  expect(body).toContain(token);
  await api.call('POST', '/api/auth/verify-email', { form: { token } });
  expect(lines.length).toBeGreaterThan(2);
  expect(lines.filter((line) => line.includes(token))).toEqual([]);
});

test('what an address says is text in the page, and no markup', async () => {
  const text = `"><script>alert('1')</script>&amp;`;
  const query = new URLSearchParams({ token: text, callbackURL: text });
  const { body } = await api.call('GET', `/api/auth/verify-email?${query.toString()}`);
  expect(body).not.toMatch(/<script|"">|&amp;/);
  expect((body as string).match(/&#34;&#62;&#60;script&#62;/g)).toHaveLength(2);
});

const ways: [name: string, send: (fields: Record<string, string>) => CallOptions][] = [
  ['json', (json) => ({ json })],
  ['form', (form) => ({ form })],
  ['multipart', (multipart) => ({ multipart })],
];
describe.each(ways)('an address is confirmed by %s', (_name, send) => {
  const confirm = (fields: Record<string, string>, more: Record<string, string> = {}) =>
    api.call('POST', '/api/auth/verify-email', { ...send(fields), headers: more });

  test('with the token, from whatever page, and once is enough', async () => {
    const { email, token } = await signUpUnconfirmed();
    const answer = await confirm({ token }, { Origin: 'null', Cookie: 'better-auth.session_token=x.y' });
    expect(answer).toMatchObject({ status: 200, body: { status: true } });
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(await isConfirmed(email)).toBe(true);
    expect((await confirm({ token })).status).toBe(200);
  });

  test.each(['/docs/api', `${trusted}/welcome`])('and leads on to %s', async (callbackURL) => {
    const { email, token } = await signUpUnconfirmed();
    const answer = await confirm({ token, callbackURL });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, callbackURL]);
    expect(await isConfirmed(email)).toBe(true);
  });

  test('not when it would lead elsewhere, nor by another token', async () => {
    const { email, token } = await signUpUnconfirmed();
    const elsewhere = await confirm({ token, callbackURL: 'https://evil.example/' });
    expect(problemOf(elsewhere)).toEqual({ status: 403, code: 'invalid_callback_url' });
    const wrong = `${token.slice(0, -4)}AAAA`;
    expect(problemOf(await confirm({ token: wrong }))).toEqual({ status: 400, code: 'invalid_token' });
    const led = await confirm({ token: wrong, callbackURL: '/docs/api' });
    expect([led.status, led.headers.get('location')]).toEqual([303, '/docs/api?error=INVALID_TOKEN']);
    expect(problemOf(await confirm({}))).toEqual({ status: 400, code: 'invalid_request' });
    expect(await isConfirmed(email)).toBe(false);
  });
});
