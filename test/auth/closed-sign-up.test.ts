import { pino } from 'pino';
import { build } from '../../src/auth/better-auth.ts';
import { authSecret, startTestApi, type TestApi } from '../helpers/api.ts';
import { openBrowser } from '../helpers/browser.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { findFreePort, oidcClient, startOidcProvider } from '../helpers/oidc-provider.ts';
import { makeAdministrator, password, problemOf, signIn, signUp } from '../helpers/people.ts';

let db: TestDatabase;
/** Of the same database: where sign-up is open, and where it is closed. */
let open: TestApi;
let closed: TestApi;
let provider: { stop: () => Promise<void> };

beforeAll(async () => {
  db = await createTestDatabase();
  const port = await findFreePort();
  const oidc = { id: 'oidc', issuer: `http://127.0.0.1:${port}`, ...oidcClient };
  open = await startTestApi({ database: db.database });
  closed = await startTestApi({ database: db.database, auth: { isSignUpClosed: true, oidc } });
  provider = await startOidcProvider(port, `${closed.baseUrl}/api/auth/callback/oidc`);
}, 30_000);
afterAll(async () => {
  await provider.stop();
  await closed.stop();
  await open.stop();
  await db.drop();
});

const findUser = async (email: string) => db.query('select 1 from users where email = ?', [email]);

test('a page can ask which providers are configured and whether sign-up is open, and learns no secret', async () => {
  const ask = async (api: TestApi) => (await api.call('GET', '/api/auth/sign-in/options')).body as unknown;
  expect(await ask(open)).toEqual({ providers: [], isSignUpOpen: true, hasPasskeys: false });
  expect(await ask(closed)).toEqual({
    providers: [{ id: 'oidc', kind: 'oidc' }],
    isSignUpOpen: false,
    hasPasskeys: false,
  });
});

describe('where sign-up is closed', () => {
  const stranger = { name: 'A stranger', email: 'stranger@example.com', password };

  test.each([
    ['JSON', { json: stranger }],
    ['urlencoded', { form: stranger }],
    ['multipart', { multipart: stranger }],
  ])('a stranger makes no account, in %s', async (_encoding, body) => {
    expect(problemOf(await closed.call('POST', '/api/auth/sign-up/email', body))).toEqual({
      status: 403,
      code: 'sign_up_disabled',
    });
    expect(await findUser(stranger.email)).toEqual([]);
  });

  test('whether an address has an account is not told', async () => {
    const { email } = await signUp(open);
    const answer = await closed.call('POST', '/api/auth/sign-up/email', { json: { ...stranger, email } });
    expect(problemOf(answer)).toEqual({ status: 403, code: 'sign_up_disabled' });
  });

  test('a stranger makes no account with a provider either', async () => {
    const browser = openBrowser();
    const begun = await browser.go(`${closed.baseUrl}/api/auth/sign-in/social`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ provider: 'oidc', callbackURL: '/docs/api', errorCallbackURL: '/health' }),
    });
    let page = await browser.go((JSON.parse(begun.text) as { url: string }).url);
    for (let forms = 0; page.text.includes('<form') && forms < 4; forms += 1)
      page = await browser.submit(
        page,
        page.text.includes('name="login"') ? { login: 'eve', password: 'any' } : {},
      );
    expect(page.url.searchParams.get('error')).toBe('signup_disabled');
    expect(await findUser('eve@idp.example')).toEqual([]);
  }, 30_000);

  test('a stranger makes none with the token of a provider, for which better-auth does not look', async () => {
    const settings = { baseUrl: open.baseUrl, secret: authSecret, trustedOrigins: [], isSignUpClosed: true };
    const log = pino({ level: 'silent' });
    const { options } = build(
      { database: db.database, settings, mailer: null, log, now: () => new Date() },
      [],
    );
    const { before } = options.databaseHooks.user.create;
    const user = { id: 'x', name: 'Eve', email: 'eve@idp.example', emailVerified: true };
    const times = { createdAt: new Date(), updatedAt: new Date() };
    const at = (path: string) => before({ ...user, ...times }, { path } as Parameters<typeof before>[1]);
    await expect(at('/sign-in/social')).rejects.toMatchObject({ body: { code: 'SIGN_UP_DISABLED' } });
    await expect(at('/admin/create-user')).resolves.toBeUndefined();
  });

  test('who has an account signs in, and an administrator makes accounts', async () => {
    const administrator = await signUp(open);
    await makeAdministrator(db, administrator);
    const signedIn = await signIn(closed, administrator.email);
    const made = await signedIn.post('/admin/create-user', { ...stranger, email: 'made@example.com' });
    expect(made.status).toBe(200);
    expect((await signIn(closed, 'made@example.com')).userId).toBe(made.body.user.id);
  });
});
