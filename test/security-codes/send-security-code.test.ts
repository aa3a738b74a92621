import { countSegments } from '../../src/messages/segments.ts';
import type { Answer, CallOptions, TestApi } from '../helpers/api.ts';
import type { TestDatabase } from '../helpers/databases.ts';
import { codeOf, sealedTextOf } from '../helpers/sent-code.ts';
import { createTenant, type Tenant } from '../helpers/tenants.ts';
import { startTwoApis, type TwoApis } from '../helpers/two-apis.ts';

let apis: TwoApis;
let db: TestDatabase;
let api: TestApi;
let otherApi: TestApi;
let tenant: Tenant;
let live: string;
let testKey: string;
let offsetMs = 0;

beforeAll(async () => {
  apis = await startTwoApis(() => new Date(Date.now() + offsetMs));
  ({ db, api, otherApi, tenant, liveKey: live, testKey } = apis);
});

afterAll(() => apis.stop());

afterEach(() => {
  offsetMs = 0;
});

let recipients = 0;
/** A recipient of its own, for a recipient is sent 5 codes at most. */
const nextRecipient = (): string => `+2519300${String((recipients += 1)).padStart(5, '0')}`;

const sendPath = '/api/v1/security-codes/send';
const send = (json: Record<string, unknown>, key = live, through = api): Promise<Answer> =>
  through.call('POST', sendPath, { key, json });

const verify = (verificationId: string, code: string): Promise<Answer> =>
  api.call('POST', '/api/v1/security-codes/verify', { key: live, json: { verificationId, code } });

/** Every row that a send could leave behind. */
async function countRows(): Promise<number> {
  const [row] = await db.query<{ rows: string }>(
    `select (select count(*) from messages) + (select count(*) from message_events)
       + (select count(*) from security_codes) + (select count(*) from idempotency_keys) as rows`,
  );
  return Number(row!.rows);
}

test('202 is answered once code and message are committed, while Temporal is down, with the defaults filled in', async () => {
  const to = nextRecipient();
  const { status, body } = await send({ to: to.replace('+251', '0') });
  expect(status).toBe(202);
  expect(body).toEqual({
    verificationId: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
    organizationId: tenant.organizationId,
    environment: 'live',
    status: 'pending',
    channel: 'sms',
    purpose: 'verification',
    from: tenant.sender,
    to,
    attemptsRemaining: 5,
    messageId: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
    metadata: {},
    createdAt: expect.any(String),
    expiresAt: expect.any(String),
  });
  expect(Date.parse(body.expiresAt) - Date.parse(body.createdAt)).toBe(600_000);
  expect(await codeOf(db, body.messageId)).toMatch(/^[0-9]{6}$/);
});

test('the message is stored and shown masked, is counted as it is sent, and may be sent until the code expires', async () => {
  // With the mask's bullets in it a text would be billed as Unicode, in three segments; what is sent is GSM-7, in two.
  const template = `{{code}} ${'a'.repeat(150)} {{code}}`;
  const { body } = await send({ to: nextRecipient(), code: { length: '10' }, ttlSeconds: 60, template });
  const text = await sealedTextOf(db, body.messageId);
  expect(text).toMatch(/^([0-9]{10}) a{150} \1$/);
  const message = await api.call('GET', `/api/v1/messages/${body.messageId}`, { key: live });
  expect(message.body).toMatchObject({
    text: `•••••••••• ${'a'.repeat(150)} ••••••••••`,
    to: body.to,
    segments: countSegments(text).segments,
    status: 'queued',
  });
  expect(message.body.segments).toBe(2);
  const [row] = await db.query<{ encoding: string; valid: boolean }>(
    `select encoding, valid_until = created_at + interval '60 seconds' as valid from messages where id = ?`,
    [body.messageId],
  );
  expect(row).toEqual({ encoding: 'gsm7', valid: true });
});

test('the three encodings carry the same fields and get the same answer, integers as numbers or strings', async () => {
  const metadata = { userId: 'u-1', nested: { list: ['x', 'y'] } };
  const plain = { channel: 'sms', purpose: 'login', from: 'ACME', template: '{{code}}, ሰላም & more' };
  const flat = { ...plain, ttlSeconds: '90', maxAttempts: '3' };
  const brackets = {
    ...flat,
    'code[type]': 'alphanumeric',
    'code[length]': '8',
    'metadata[userId]': 'u-1',
    'metadata[nested][list][0]': 'x',
    'metadata[nested][list][1]': 'y',
  };
  const strings = {
    ...flat,
    code: JSON.stringify({ type: 'alphanumeric', length: 8 }),
    metadata: JSON.stringify(metadata),
  };
  const code = { type: 'alphanumeric', length: 8 };
  const bodies: Record<string, (to: string) => CallOptions> = {
    json: (to) => ({ json: { to, ...plain, ttlSeconds: 90, maxAttempts: 3, code, metadata } }),
    'json with strings': (to) => ({ json: { to, ...flat, code: { ...code, length: '8' }, metadata } }),
    'urlencoded with brackets': (to) => ({ form: { to, ...brackets } }),
    'urlencoded with JSON strings': (to) => ({ form: { to, ...strings } }),
    'multipart with brackets': (to) => ({ multipart: { to, ...brackets } }),
    'multipart with JSON strings': (to) => ({ multipart: { to, ...strings } }),
  };
  for (const [encoding, options] of Object.entries(bodies)) {
    const to = nextRecipient();
    const { status, body } = await api.call('POST', sendPath, { key: testKey, ...options(to) });
    expect({ encoding, status, body }).toMatchObject({
      encoding,
      status: 202,
      body: { to, purpose: 'login', from: 'ACME', attemptsRemaining: 3, metadata, environment: 'test' },
    });
    expect(Date.parse(body.expiresAt) - Date.parse(body.createdAt)).toBe(90_000);
    expect(await sealedTextOf(db, body.messageId)).toMatch(/^[2-9B-DF-HJ-NP-TV-Z]{8}, ሰላም & more$/);
  }
});

test.each<[string, object, object, RegExp]>([
  [
    'spaces within the braces of its template',
    { template: '{{ code }} or {{code }}' },
    {},
    /^(\d{6}) or \1$/,
  ],
  ['a template of other braces', { template: '{{{code}}} {{x}} {' }, {}, /^\{\d{6}\} \{\{x\}\} \{$/],
  ['any purpose', { purpose: 'contact:1' }, { purpose: 'contact:1' }, /^Your code is \d{6}$/],
  ['a purpose of spaces', { purpose: '  ' }, { purpose: '  ' }, /^Your code is \d{6}$/],
  [
    'leading zeros',
    { ttlSeconds: '0060', maxAttempts: '03', code: { length: '04' } },
    { attemptsRemaining: 3 },
    /^Your code is \d{4}$/,
  ],
])('a code may be sent with %s', async (_name, json, record, text) => {
  const { status, body } = await send({ to: nextRecipient(), ...json });
  expect({ status, body }).toMatchObject({ status: 202, body: record });
  expect(await sealedTextOf(db, body.messageId)).toMatch(text);
});

describe('bad input is told by status and code, and leaves no row', () => {
  const to = '0911234567';
  // prettier-ignore
  const table: [name: string, options: () => CallOptions, status: number, code: string, field?: string][] = [
    ['no body', () => ({}), 400, 'invalid_request', '/body'],
    ['no recipient', () => ({ json: {} }), 400, 'invalid_request', '/body/to'],
    ['a recipient of 7 characters', () => ({ json: { to: '0911234' } }), 400, 'invalid_request', '/body/to'],
    ['a recipient of 17 characters', () => ({ json: { to: '+2519112345678901' } }), 400, 'invalid_request', '/body/to'],
    ['a bad number', () => ({ json: { to: '0111234567890' } }), 422, 'invalid_recipient', '/body/to'],
    ['an unknown field', () => ({ json: { to, colour: 'red' } }), 400, 'invalid_request', '/body/colour'],
    ['a text of the caller’s', () => ({ json: { to, text: '123456' } }), 400, 'invalid_request', '/body/text'],
    ['a code of the caller’s', () => ({ json: { to, code: '123456' } }), 400, 'invalid_request', '/body/code'],
    ['another channel', () => ({ json: { to, channel: 'voice' } }), 400, 'invalid_request', '/body/channel'],
    ['a purpose of 65 characters', () => ({ json: { to, purpose: 'p'.repeat(65) } }), 400, 'invalid_request', '/body/purpose'],
    ['a sender of 21 characters', () => ({ json: { to, from: 'f'.repeat(21) } }), 400, 'invalid_request', '/body/from'],
    ['an unapproved sender', () => ({ json: { to, from: 'NOT-MINE' } }), 422, 'sender_not_approved', '/body/from'],
    ['a code of hex', () => ({ json: { to, code: { type: 'hex' } } }), 400, 'invalid_request', '/body/code/type'],
    ['an unknown field of the code', () => ({ json: { to, code: { value: '123456' } } }), 400, 'invalid_request', '/body/code/value'],
    ...(['length', 'ttlSeconds', 'maxAttempts'] as const).flatMap((name) => {
      const limits = { length: [4, 10], ttlSeconds: [60, 1800], maxAttempts: [1, 10] }[name] as [number, number];
      const values = [limits[0] - 1, limits[1] + 1, limits[0] + 0.5, String(limits[0] - 1), String(limits[1] + 1),
        `${limits[0]}.5`, ` ${limits[0]}`, `+${limits[0]}`, '1e1', 'six', true, [limits[0]], 1e300, -limits[0]];
      const field = name === 'length' ? '/body/code/length' : `/body/${name}`;
      return values.map((value): [string, () => CallOptions, number, string, string] => [
        `${name} ${JSON.stringify(value)}`,
        () => ({ json: { to, ...(name === 'length' ? { code: { length: value } } : { [name]: value }) } }),
        400, 'invalid_request', field,
      ]);
    }),
    ['a length of 3 in a form', () => ({ form: { to, 'code[length]': '3' } }), 400, 'invalid_request', '/body/code/length'],
    ['a template without its place for the code', () => ({ json: { to, template: 'Your code is {code}' } }), 400, 'invalid_request', '/body/template'],
    ['a template of 1,601 characters', () => ({ json: { to, template: `{{code}}${'a'.repeat(1593)}` } }), 400, 'invalid_request', '/body/template'],
    ['a text of 1,601 characters with the code in it', () => ({ json: { to, code: { length: 9 }, template: `{{code}}${'😀'.repeat(1592)}` } }), 400, 'invalid_request', '/body/template'],
    ['metadata that is an array', () => ({ json: { to, metadata: [] } }), 400, 'invalid_request', '/body/metadata'],
    ['NUL in the template', () => ({ json: { to, template: '{{code}}\0' } }), 400, 'invalid_request', '/body/template'],
    ['another organization', () => ({ json: { to, organizationId: '019aa3c0-1f4e-7a51-8f0a-5d1a2d0c9b11' } }), 404, 'not_found'],
    ['XML', () => ({ raw: { type: 'application/xml', body: '<a/>' } }), 415, 'unsupported_media_type'],
  ];

  test.each(table)('%s', async (...[_name, options, status, code, field]) => {
    const before = await countRows();
    const answer = await api.call('POST', sendPath, { key: live, ...options() });
    expect({ status: answer.status, code: answer.body.code }).toEqual({ status, code });
    if (field) expect(answer.body.errors.map((error: { path: string }) => error.path)).toContain(field);
    expect(await countRows()).toBe(before);
  });
});

test('a text of exactly 1,600 characters with the code in it is taken', async () => {
  const template = `{{code}}${'a'.repeat(1590)}`;
  const { status, body } = await send({ to: nextRecipient(), code: { length: 10 }, template });
  expect(status).toBe(202);
  expect(await sealedTextOf(db, body.messageId)).toHaveLength(1600);
});

test('a newer code supersedes the pending one of the same recipient and purpose, and no other', async () => {
  const to = nextRecipient();
  const first = (await send({ to })).body;
  const others = [
    (await send({ to, purpose: 'login' })).body,
    (await send({ to }, testKey)).body,
    (await send({ to: nextRecipient() })).body,
  ];
  const second = (await send({ to })).body;
  const code = await codeOf(db, first.messageId);
  expect((await verify(first.verificationId, code)).body).toEqual({
    verificationId: first.verificationId,
    valid: false,
    status: 'superseded',
    attemptsRemaining: 0,
  });
  expect((await verify(second.verificationId, await codeOf(db, second.messageId))).body.valid).toBe(true);
  const statuses = await db.query(
    `select distinct status from security_codes where id in (?, ?, ?)`,
    others.map(({ verificationId }) => verificationId),
  );
  expect(statuses).toEqual([{ status: 'pending' }]);
});

test('a code that had expired when the next was sent is expired, not superseded', async () => {
  const to = nextRecipient();
  const first = (await send({ to, ttlSeconds: 60 })).body;
  offsetMs = 61_000;
  await send({ to });
  expect((await verify(first.verificationId, await codeOf(db, first.messageId))).body.status).toBe('expired');
});

test('of codes sent at once to one recipient one is pending', async () => {
  const to = nextRecipient();
  const answers = await Promise.all(
    Array.from({ length: 5 }, (_, index) => send({ to }, live, index % 2 ? api : otherApi)),
  );
  expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202]);
  const rows = await db.query(`select status from security_codes where recipient = ? order by status`, [to]);
  expect(rows.map((row) => (row as { status: string }).status)).toEqual([
    'pending',
    ...Array.from({ length: 4 }, () => 'superseded'),
  ]);
});

test('30 sends at once over two processes to one recipient, of any purpose, are 5 codes and no more', async () => {
  const to = nextRecipient();
  const before = await countRows();
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      send({ to, purpose: `purpose ${index % 7}` }, live, index % 2 ? api : otherApi),
    ),
  );
  expect(answers.filter(({ status }) => status === 202)).toHaveLength(5);
  for (const { status, body, headers } of answers.filter((answer) => answer.status !== 202)) {
    expect({ status, code: body.code }).toEqual({ status: 429, code: 'rate_limited' });
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(590);
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(600);
  }
  expect(await countRows()).toBe(before + 15);
});

test('the limit is that of a window that moves: the sixth send waits for the first to be 10 minutes old', async () => {
  const to = nextRecipient();
  for (const at of [0, 100, 200, 300, 400]) {
    offsetMs = at * 1000;
    expect((await send({ to })).status).toBe(202);
  }
  offsetMs = 450_000;
  const refused = await send({ to });
  expect(refused.body.code).toBe('rate_limited');
  const retryAfter = Number(refused.headers.get('retry-after'));
  // The headers describe the limit that was reached, not the caller's.
  expect(['limit', 'remaining', 'reset'].map((name) => refused.headers.get(`ratelimit-${name}`))).toEqual([
    '5',
    '0',
    String(retryAfter),
  ]);
  expect(retryAfter).toBeGreaterThan(140);
  expect(retryAfter).toBeLessThanOrEqual(151);
  // Neither the other environment nor another organization is counted.
  expect((await send({ to }, testKey)).status).toBe(202);
  expect((await send({ to }, await (await createTenant(db.database)).createKey())).status).toBe(202);
  offsetMs = 450_000 + retryAfter * 1000;
  expect((await send({ to })).status).toBe(202);
  expect((await send({ to })).status).toBe(429);
});

test('a refused send and a repeated one are not counted', async () => {
  const to = nextRecipient();
  const headers = { 'Idempotency-Key': 'counted-once' };
  for (let round = 0; round < 8; round += 1) {
    expect((await send({ to, from: 'NOT-MINE' })).status).toBe(422);
    expect((await api.call('POST', sendPath, { key: live, headers, json: { to } })).status).toBe(202);
  }
  const rows = await db.query(`select id from security_codes where recipient = ?`, [to]);
  expect(rows).toHaveLength(1);
  for (let round = 0; round < 4; round += 1) expect((await send({ to })).status).toBe(202);
  expect((await send({ to })).status).toBe(429);
  // At its limit, what was answered is still answered again.
  expect((await api.call('POST', sendPath, { key: live, headers, json: { to } })).status).toBe(202);
});

test('a code that cannot be stored leaves no message, and the one before it stays', async () => {
  const to = nextRecipient();
  const first = (await send({ to })).body;
  const before = await countRows();
  await db.query(
    `alter table security_codes add constraint broken check (purpose <> 'verification') not valid`,
  );
  const answer = await send({ to });
  await db.query('alter table security_codes drop constraint broken');
  expect(answer.status).toBe(500);
  expect(await countRows()).toBe(before);
  expect((await verify(first.verificationId, await codeOf(db, first.messageId))).body.status).toBe(
    'verified',
  );
});
