import { createHmac } from 'node:crypto';
import { hashSessionToken } from '../../src/auth/sessions/session-token.ts';
import { authSecret, startTestApi, type Answer, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { createOrganization, linkMailed, makeAdministrator, password, signUp } from '../helpers/people.ts';

let db: TestDatabase;
let api: TestApi;
const lines: string[] = [];

beforeAll(async () => {
  db = await createTestDatabase();
  const google = { clientId: 'id', clientSecret: 'secret' };
  api = await startTestApi({ database: db.database, auth: { google }, log: (line) => lines.push(line) });
});

afterAll(async () => {
  await api.stop();
  await db.drop();
});

/** Every row of every table, as text. */
async function everyRow(): Promise<string> {
  const tables = await db.query<{ name: string }>(
    `select quote_ident(table_name) as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const rows = await Promise.all(
    tables.map(({ name }) => db.query(`select row_to_json(stored)::text as row from ${name} stored`)),
  );
  return JSON.stringify(rows);
}

/** The tokens that an answer gives away: in its body, its cookies and its headers. */
function tokensOf({ body, headers }: Answer): string[] {
  const values = headers.getSetCookie().map((line) => /^[^=]+=([^;]*)/.exec(line)![1]!);
  const inBody = [body?.token, body?.session?.token].filter((token) => typeof token === 'string');
  const state = body?.url ? [...new URL(body.url as string).searchParams.values()] : [];
  return [...values, headers.get('set-auth-token') ?? '', ...inBody, ...state]
    .flatMap((value: string) => [
      value,
      decodeURIComponent(value),
      decodeURIComponent(value).split(/[.:]/)[0]!,
    ])
    .filter((value) => value.length >= 20 && !value.startsWith('http'));
}

test('no token of an answer, a cookie or a mail is in any table or in the log', async () => {
  const tokens: string[] = [];
  const keep = async (answer: Promise<Answer>): Promise<Answer> => {
    const { status } = await answer;
    expect(status).toBeLessThan(400);
    const found = tokensOf(await answer);
    expect(found).not.toEqual([]);
    tokens.push(...found);
    return answer;
  };
  const [person, administrator] = [await signUp(api), await signUp(api)];
  await makeAdministrator(db, administrator);
  const credentials = { email: person.email, password };
  await keep(
    api.call('POST', '/api/auth/sign-up/email', {
      json: { ...credentials, name: 'A', email: 'b@example.com' },
    }),
  );
  const verification = new URL(await linkMailed(api, 'b@example.com', '/verify-email'), api.baseUrl);
  tokens.push(verification.searchParams.get('token')!);
  const signedIn = await keep(api.call('POST', '/api/auth/sign-in/email', { json: credentials }));
  const Cookie = signedIn.headers.getSetCookie()[0]!.split(';')[0]!;
  await keep(api.call('GET', '/api/auth/get-session', { headers: { Cookie } }));
  const { organizationId } = await createOrganization(person);
  await keep(
    api.call('POST', '/api/auth/organization/set-active', { json: { organizationId }, headers: { Cookie } }),
  );
  await keep(api.call('POST', '/api/auth/sign-in/social', { json: { provider: 'google' } }));
  await keep(person.post('/link-social', { provider: 'google' }));
  await keep(administrator.post('/admin/impersonate-user', { userId: person.userId }));
  await api.call('POST', '/api/auth/request-password-reset', {
    json: { email: person.email, redirectTo: '/' },
  });
  tokens.push(/\/([^/?]+)\?/.exec(await linkMailed(api, person.email, '/reset-password/'))![1]!);
  await keep(
    api.call('POST', '/api/auth/sign-in/email', {
      json: { email: administrator.email, password, rememberMe: false },
    }),
  );
  const before = await everyRow();
  await keep(
    administrator.post('/change-password', {
      ...{ currentPassword: password, newPassword: 'a new password', revokeOtherSessions: true },
    }),
  );

  const stored = before + (await everyRow());
  expect(stored).toContain(hashSessionToken(person.token));
  expect(new Set(tokens).size).toBeGreaterThan(20);
  const hexadecimal = tokens.map((token) => Buffer.from(token).toString('hex'));
  expect([...tokens, ...hexadecimal].filter((token) => stored.includes(token))).toEqual([]);
  expect(tokens.filter((token) => lines.join('\n').includes(token))).toEqual([]);
});

test('what stands in the tables opens nothing', async () => {
  const person = await signUp(api);
  await api.call('POST', '/api/auth/request-password-reset', {
    json: { email: person.email, redirectTo: '/' },
  });
  await linkMailed(api, person.email, '/reset-password/');
  const sessions = await db.query<{ token: string }>('select token from sessions');
  expect(sessions.length).toBeGreaterThan(1);
  for (const { token } of sessions) {
    const signed = `${token}.${createHmac('sha256', authSecret).update(token).digest('base64')}`;
    for (const headers of [
      { Authorization: `Bearer ${token}` },
      { Authorization: `Bearer ${signed}` },
      { Cookie: `better-auth.session_token=${encodeURIComponent(signed)}` },
    ]) {
      expect((await api.call('GET', '/api/auth/list-accounts', { headers: headers as never })).status).toBe(
        401,
      );
    }
    await person.post('/revoke-session', { token });
  }
  expect((await person.get('/list-accounts')).status).toBe(200);
  const links = await db.query<{ identifier: string }>('select identifier from verifications');
  expect(links.length).toBeGreaterThan(0);
  for (const { identifier } of links) {
    for (const token of [identifier, identifier.replace(/^reset-password:/, '')]) {
      const json = { token, newPassword: 'the password of a thief' };
      expect((await api.call('POST', '/api/auth/reset-password', { json })).status).toBe(400);
    }
  }
});
