import { startTestApi, type CallOptions, type TestApi } from '../helpers/api.ts';
import { openBrowser } from '../helpers/browser.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { linkMailed, password, problemOf, signIn, signUp, type Person } from '../helpers/people.ts';

let db: TestDatabase;
let api: TestApi;

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database });
});

afterAll(async () => {
  await api.stop();
  await db.drop();
});

/** Asks for a link that resets the password, and answers the token in it. */
async function askForLink({ email }: Person): Promise<string> {
  const before = api.mails.length;
  await api.call('POST', '/api/auth/request-password-reset', { json: { email, redirectTo: '/' } });
  const link = await linkMailed({ ...api, mails: api.mails.slice(before) }, email, '/reset-password/');
  return /\/reset-password\/([^?]+)/.exec(link)![1]!;
}

const reset = (token: string, newPassword: string, encoding: keyof CallOptions = 'json') =>
  api.call('POST', '/api/auth/reset-password', { [encoding]: { token, newPassword } });

/** The link of a mail for which no page was named. */
async function askForPage({ email }: Person): Promise<string> {
  await api.call('POST', '/api/auth/request-password-reset', { json: { email } });
  return linkMailed(api, email, '/reset-password/');
}

test('without a page of an application, the link leads to one of ours, whose form sets the password', async () => {
  const person = await signUp(api);
  const link = await askForPage(person);
  const browser = openBrowser();
  const page = await browser.go(api.baseUrl + link);
  expect(page.status).toBe(200);
  expect(page.text).not.toMatch(/<script|\son\w+=|style=|https?:/i);
  const after = await browser.submit(page, { newPassword: 'a new password' });
  expect([after.status, after.text]).toEqual([200, '{"status":true}']);
  expect((await signIn(api, person.email, 'a new password')).userId).toBe(person.userId);
  const used = await browser.go(api.baseUrl + link);
  expect([used.status, used.text]).toEqual([200, expect.stringContaining('not valid any more')]);
  expect(used.text).not.toContain('<form');
});

test('the page for the password tells its token to no other site, and its form still says where it comes from', async () => {
  const token = `"><script>alert('1')</script>`;
  const path = `/api/auth/reset-password?${String(new URLSearchParams({ token }))}`;
  const { headers, body } = await api.call('GET', path);
  expect(headers.get('content-type')).toMatch(/^text\/html/);
  expect(headers.get('content-security-policy')).toBe(
    `default-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
  );
  // With `no-referrer` a browser would send `Origin: null`, which is refused here.
  expect(headers.get('referrer-policy')).toBe('same-origin');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.getSetCookie()).toEqual([]);
  expect(body).not.toMatch(/<script|"">/);
  expect(body).toContain('&#34;&#62;&#60;script&#62;');
});

const isOver = { status: 400, code: 'invalid_token' };

type Way = (person: Person, token: string) => Promise<{ status: number }>;
const change =
  (encoding: string, revokeOtherSessions: string): Way =>
  (person) =>
    person.call('POST', '/api/auth/change-password', {
      [encoding]: { currentPassword: password, newPassword: 'a new password', revokeOtherSessions },
    });
const ways: [name: string, set: Way][] = [
  ...(['json', 'form', 'multipart'] as const).map((encoding): [string, Way] => [
    `another link, by ${encoding}`,
    (_person, token) => reset(token, 'a new password', encoding),
  ]),
  ['a change', change('form', 'false')],
  ['a change that ends the other sessions', change('multipart', 'true')],
];

test.each(ways)(
  'a password that is set by %s ends all links of its user, and of nobody else',
  async (_way, set) => {
    const [person, other] = [await signUp(api), await signUp(api)];
    const links = [await askForLink(person), await askForLink(person), await askForLink(person)];
    const othersLink = await askForLink(other);
    expect((await set(person, links[1]!)).status).toBe(200);
    for (const token of links) {
      expect(problemOf(await reset(token, 'the password of a thief'))).toEqual(isOver);
    }
    await signIn(api, person.email, 'a new password');
    expect((await reset(othersLink, 'a new password')).status).toBe(200);
    // What is asked for afterwards is good.
    expect((await reset(await askForLink(person), 'a third password')).status).toBe(200);
  },
);

test('a password that is not set leaves the links of its user', async () => {
  const person = await signUp(api);
  const token = await askForLink(person);
  const fields = { currentPassword: 'wrong', newPassword: 'a new password' };
  expect((await person.post('/change-password', fields)).status).toBe(400);
  expect(problemOf(await reset('x'.repeat(24), 'a new password'))).toEqual(isOver);
  expect((await reset(token, 'short')).status).toBe(400);
  expect((await reset(token, 'a new password')).status).toBe(200);
});

test('of several links that are used at the same moment one sets the password', async () => {
  const person = await signUp(api);
  const links = [await askForLink(person), await askForLink(person), await askForLink(person)];
  const answers = await Promise.all(
    [...links, ...links].map((token, number) => reset(token, `password number ${number}`)),
  );
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
    200, 400, 400, 400, 400, 400,
  ]);
  const winner = answers.findIndex(({ status }) => status === 200);
  expect((await signIn(api, person.email, `password number ${winner}`)).userId).toBe(person.userId);
});

test('a reset that fails halfway has done nothing: the link is good, the sessions are, and so is the password', async () => {
  const person = await signUp(api);
  const [token, another] = [await askForLink(person), await askForLink(person)];
  await db.query('alter table sessions rename column user_id to user_id_gone');
  expect((await reset(token, 'a new password')).status).toBe(500);
  await db.query('alter table sessions rename column user_id_gone to user_id');
  expect((await person.get('/list-accounts')).status).toBe(200);
  expect((await signIn(api, person.email)).userId).toBe(person.userId);
  expect((await reset(token, 'a new password')).status).toBe(200);
  expect((await person.get('/list-accounts')).status).toBe(401);
  expect(problemOf(await reset(another, 'another password'))).toEqual(isOver);
});
