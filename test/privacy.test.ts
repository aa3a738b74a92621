import { createHash } from 'node:crypto';
import { errorCatalogue } from '../src/errors.ts';
import { gatewayToken, startTestApi, type Answer, type TestApi } from './helpers/api.ts';
import { createTestDatabase, type TestDatabase } from './helpers/databases.ts';
import { signUp } from './helpers/people.ts';
import { codeOf } from './helpers/sent-code.ts';
import { createTenant } from './helpers/tenants.ts';

/**
 * Planted words go through the main flows and their failures; then every line of the log, at its finest, and
 * every list and error is searched for them. Workflow histories are searched in test/system.
 */
const planted = {
  text: 'Planted-text-of-a-message',
  number: '+251911837465',
  national: '911837465',
  webhookSecret: 'planted-webhook-secret',
  password: 'planted password of a person',
};

let db: TestDatabase;
let api: TestApi;
const lines: string[] = [];

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database, log: (line) => lines.push(line) });
});

afterAll(async () => {
  await api.stop();
  await db.drop();
});

test('no secret, number or text of a person is in the log, in an error, or in a list that need not show it', async () => {
  const person = await signUp(api, { email: 'planted@example.com' });
  const errors: Answer[] = [];
  const lists: Answer[] = [];
  const keep = async (into: Answer[], answer: Promise<Answer>): Promise<Answer> => {
    const settled = await answer;
    into.push(settled);
    return settled;
  };
  const credentials = { email: person.email, password: planted.password };
  await keep(errors, api.call('POST', '/api/auth/sign-in/email', { json: credentials }));
  const made = await person.post('/organization/create', { name: 'Acme', slug: 'acme' });
  const organizationId = made.body.id as string;
  const keyInput = {
    organizationId,
    name: 'k',
    environment: 'live',
    permissions: ['messages:send', 'messages:read', 'schedules:write'],
  };
  const { key } = (await person.call('POST', '/api/v1/api-keys', { json: keyInput })).body as { key: string };
  const secret = key.split('_').at(-1)!;

  const webhook = { url: 'https://example.com/hook', secret: planted.webhookSecret };
  const message = { to: planted.number, text: planted.text, webhook };
  const send = (json: unknown): Promise<Answer> => api.call('POST', '/api/v1/messages', { key, json });
  await keep(errors, send(message)); // No sender yet.
  await db.query(
    `insert into sender_ids (id, organization_id, value, status, is_default, use_case, sample_message, created_at)
     values (gen_random_uuid(), ?, 'ACME', 'approved', true, 'x', 'x', now())`,
    [organizationId],
  );
  const sent = await send(message);
  expect(sent.status).toBe(202);
  const query = new URLSearchParams({
    messageId: sent.body.id,
    token: gatewayToken,
    status: '1',
    to: planted.number,
  });
  expect((await api.call('GET', `/api/v1/gateway/dlr?${query.toString()}`)).status).toBe(200);

  for (const json of [
    { ...message, from: 'NOT-MINE' },
    { ...message, webhook: { ...webhook, url: 'http://10.0.0.1/' } },
    { ...message, unknown: planted.text },
    { ...message, text: `${planted.text}\0` },
    { ...message, metadata: planted.text },
  ]) {
    const answer = await keep(errors, send(json));
    expect(answer.status).toBeGreaterThanOrEqual(400);
  }
  await keep(
    errors,
    api.call('POST', '/api/v1/messages', {
      key,
      raw: { type: 'application/json', body: `{"text":"${planted.text}"` },
    }),
  );
  await keep(errors, api.call('POST', '/api/v1/messages', { key: `${key.slice(0, -1)}!`, json: message }));
  await keep(
    errors,
    api.call('GET', `/api/v1/gateway/dlr?${query.toString().replace(gatewayToken, 'wrong')}`),
  );
  const inbound = new URLSearchParams({
    token: gatewayToken,
    from: planted.number,
    to: '8080',
    text: planted.text,
  });
  const give = (callback: string): Promise<Answer> => api.call('GET', `/api/v1/gateway/mo?${callback}`);
  expect((await give(inbound.toString())).status).toBe(200);
  await keep(errors, give(inbound.toString().replace(gatewayToken, 'wrong')));
  await keep(errors, give(`${inbound.toString()}&text=${planted.text}`));
  await keep(errors, give(`${inbound.toString()}&smscId=${planted.text.repeat(5)}`));
  await db.query('alter table inbound_messages rename column sender to sender_gone');
  expect((await keep(errors, give(inbound.toString()))).status).toBe(500);
  await db.query('alter table inbound_messages rename column sender_gone to sender');
  const { webhook: _webhook, ...scheduled } = {
    ...message,
    scheduleType: 'once',
    startsAt: '2999-01-01T00:00:00Z',
  };
  const schedule = (json: unknown): Promise<Answer> =>
    api.call('POST', '/api/v1/messages/schedule', { key, json });
  expect((await schedule(scheduled)).status).toBe(201);
  await keep(errors, schedule({ ...scheduled, timezone: planted.text }));
  await keep(errors, schedule({ ...scheduled, from: 'NOT-MINE' }));
  const suppressions = '/api/v1/suppressions';
  const optedOut = await person.call('POST', suppressions, { json: { phoneNumber: planted.number } });
  expect(optedOut.status).toBe(201);
  await keep(errors, send(message)); // It has opted out.
  for (const name of [planted.number, encodeURIComponent(planted.number)]) {
    await keep(errors, api.call('DELETE', `${suppressions}/${name}`, { key })); // Without the permission.
  }
  expect((await person.call('DELETE', `${suppressions}/0${planted.national}`)).status).toBe(204);
  const privacy = '/api/v1/privacy';
  const named = `phoneNumber=${encodeURIComponent(planted.number)}`;
  const erasure = await person.call('POST', `${privacy}/erasures`, { json: { phoneNumber: planted.number } });
  expect(erasure.status).toBe(202);
  lists.push(erasure, await person.call('GET', `${privacy}/erasures`));
  lists.push(await person.call('GET', `${privacy}/consent?${named}`));
  expect((await person.call('GET', `${privacy}/export?${named}`)).body.messages).not.toEqual([]);
  await keep(errors, person.call('GET', `${privacy}/export?${named}0000000`));
  // A failure within: the database refuses what was asked of it, and says why at length.
  await db.query('alter table messages rename column recipient to recipient_gone');
  expect((await keep(errors, send(message))).status).toBe(500);
  await db.query('alter table messages rename column recipient_gone to recipient');

  await keep(lists, person.call('GET', `/api/v1/api-keys?organizationId=${organizationId}`));
  await keep(lists, person.call('GET', `/api/v1/audit-events?organizationId=${organizationId}`));
  for (const list of lists) expect(list.status).toBeLessThan(300);

  const secrets = [secret, person.token, planted.webhookSecret, planted.password];
  const nowhere = [...secrets, planted.text, planted.number, planted.national];
  const told = (where: string, words: string[]): string[] => words.filter((word) => where.includes(word));
  expect(lines.length).toBeGreaterThan(10);
  expect(told(lines.join('\n'), [...nowhere, gatewayToken])).toEqual([]);
  expect(told(JSON.stringify(errors.map(({ body }) => body as unknown)), nowhere)).toEqual([]);
  const failures = errors.filter(({ status }) => status === 500);
  expect(failures.map(({ body }) => (body as { detail: string }).detail)).toEqual(
    failures.map(() => errorCatalogue.internal_error.meaning),
  );
  expect(told(JSON.stringify(lists.map(({ body }) => body as unknown)), nowhere)).toEqual([]);
  // No row holds a secret in clear.
  const rows = await everyRow();
  expect(rows).toContain(planted.text);
  expect(told(rows, [secret, planted.webhookSecret, planted.password])).toEqual([]);
  expect(rows).not.toContain(Buffer.from(planted.webhookSecret).toString('hex'));
  // What the caller sent comes back to him, but for the secret of his webhook.
  const messages = await api.call('GET', '/api/v1/messages', { key });
  expect(told(JSON.stringify(messages.body), secrets)).toEqual([]);
});

test('a security code is in the log, an error, an answer, a list or a row of any table in no form', async () => {
  const tenant = await createTenant(db.database);
  const key = await tenant.createKey();
  const to = planted.number;
  const answers: Answer[] = [];
  const post = async (path: string, json: unknown, headers: Record<string, string> = {}): Promise<Answer> => {
    const answer = await api.call('POST', path, { key, json, headers });
    answers.push(answer);
    return answer;
  };
  const sendPath = '/api/v1/security-codes/send';
  // Of ten letters and digits, so that it is found only where it was put.
  const order = { to, code: { type: 'alphanumeric', length: 10 }, purpose: 'privacy' };
  const headers = { 'Idempotency-Key': 'privacy' };
  const { body } = await post(sendPath, order, headers);
  const code = await codeOf(db, body.messageId);
  expect(code).toMatch(/^[0-9A-Z]{10}$/);
  await post(sendPath, order, headers);
  await post('/api/v1/security-codes/verify', { verificationId: body.verificationId, code: 'WRONG12345' });
  await post('/api/v1/security-codes/verify', { verificationId: body.verificationId, code, colour: 'red' });
  await post('/api/v1/security-codes/verify', { verificationId: [body.verificationId], code });
  await post('/api/v1/security-codes/verify', { verificationId: 'nonsense', code });
  answers.push(
    await api.call('POST', '/api/v1/security-codes/verify', {
      key,
      raw: { type: 'application/json', body: `{"code":"${code}"` },
    }),
  );
  // Failures within: the database refuses the guess, and a send.
  await db.query('alter table security_codes rename column code_hash to code_hash_gone');
  expect(
    (await post('/api/v1/security-codes/verify', { verificationId: body.verificationId, code })).status,
  ).toBe(500);
  expect((await post(sendPath, { ...order, purpose: 'broken' })).status).toBe(500);
  await db.query('alter table security_codes rename column code_hash_gone to code_hash');
  const before = await everyRow();
  expect(
    (await post('/api/v1/security-codes/verify', { verificationId: body.verificationId, code })).body.valid,
  ).toBe(true);
  answers.push(await api.call('GET', '/api/v1/messages', { key }));
  answers.push(await api.call('GET', `/api/v1/messages/${body.messageId}`, { key }));

  // As it is, in small letters, as PostgreSQL shows bytes, as base64, and as a hash that a list of all codes undoes.
  const forms = [
    code,
    code.toLowerCase(),
    Buffer.from(code).toString('hex'),
    Buffer.from(code).toString('base64').slice(0, 12),
    createHash('sha256').update(code).digest('hex'),
  ];
  const found = (where: string): string[] => forms.filter((form) => where.includes(form));
  expect(before).toContain(body.verificationId);
  expect(found(before)).toEqual([]);
  expect(found(await everyRow())).toEqual([]);
  expect(found(lines.join('\n'))).toEqual([]);
  expect(found(JSON.stringify(answers.map((answer) => answer.body as unknown)))).toEqual([]);
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
