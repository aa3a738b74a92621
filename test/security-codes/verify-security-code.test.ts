import { hashCode } from '../../src/security-codes/code.ts';
import { securityCodePepper, type Answer, type CallOptions, type TestApi } from '../helpers/api.ts';
import type { TestDatabase } from '../helpers/databases.ts';
import { signUp } from '../helpers/people.ts';
import { codeOf } from '../helpers/sent-code.ts';
import { createTenant, type Tenant } from '../helpers/tenants.ts';
import { startTwoApis, type TwoApis } from '../helpers/two-apis.ts';

// No worker and no Temporal in this file: what is stored and the clock are all that verifying needs.
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

async function send(json: Record<string, unknown> = {}, key = live): Promise<{ id: string; code: string }> {
  const to = `+2519300${String((recipients += 1)).padStart(5, '0')}`;
  const { status, body } = await api.call('POST', '/api/v1/security-codes/send', {
    key,
    json: { to, ...json },
  });
  expect(status).toBe(202);
  return { id: body.verificationId, code: await codeOf(db, body.messageId) };
}

function call(options: CallOptions, through = api): Promise<Answer> {
  return through.call('POST', '/api/v1/security-codes/verify', { key: live, ...options });
}

const verify = (verificationId: string, code: string, through = api): Promise<Answer> =>
  call({ json: { verificationId, code } }, through);

/** Codes that are wrong, each another. */
function wrongCodes(code: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) =>
    String((Number(code) + index + 1) % 10 ** code.length).padStart(code.length, '0'),
  );
}

test('the right code verifies once; after that it is used', async () => {
  const { id, code } = await send();
  const first = await verify(id, code);
  expect({ status: first.status, body: first.body }).toEqual({
    status: 200,
    body: { verificationId: id, valid: true, status: 'verified', attemptsRemaining: 0 },
  });
  for (const guess of [code, wrongCodes(code, 1)[0]!]) {
    expect((await verify(id, guess)).body).toEqual({
      verificationId: id,
      valid: false,
      status: 'already_used',
      attemptsRemaining: 0,
    });
  }
});

test('wrong codes are counted down; the right one may be the last guess', async () => {
  const { id, code } = await send({ maxAttempts: 3 });
  const [first, second] = wrongCodes(code, 2) as [string, string];
  expect((await verify(id, first)).body).toMatchObject({
    valid: false,
    status: 'incorrect',
    attemptsRemaining: 2,
  });
  expect((await verify(id, second)).body).toMatchObject({ status: 'incorrect', attemptsRemaining: 1 });
  expect((await verify(id, code)).body).toMatchObject({ valid: true, status: 'verified' });
});

test('after the last wrong guess the right code no longer verifies', async () => {
  const { id, code } = await send({ maxAttempts: 1 });
  expect((await verify(id, wrongCodes(code, 1)[0]!)).body).toMatchObject({
    status: 'incorrect',
    attemptsRemaining: 0,
  });
  expect((await verify(id, code)).body).toMatchObject({ valid: false, status: 'max_attempts_reached' });
});

test('of 100 wrong guesses at once over two processes five are counted, then the right code does not verify', async () => {
  const { id, code } = await send();
  const answers = await Promise.all(
    wrongCodes(code, 100).map((guess, index) => verify(id, guess, index % 2 ? api : otherApi)),
  );
  const incorrect = answers.filter(({ body }) => body.status === 'incorrect');
  expect(incorrect.map(({ body }) => String(body.attemptsRemaining)).toSorted()).toEqual([
    '0',
    '1',
    '2',
    '3',
    '4',
  ]);
  expect(answers.filter(({ body }) => body.status === 'max_attempts_reached')).toHaveLength(95);
  expect((await verify(id, code)).body).toMatchObject({ valid: false, status: 'max_attempts_reached' });
  const rows = await db.query('select attempts, status from security_codes where id = ?', [id]);
  expect(rows).toEqual([{ attempts: 5, status: 'max_attempts_reached' }]);
});

test('of 100 right guesses at once one verifies', async () => {
  const { id, code } = await send();
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, index) => verify(id, code, index % 2 ? api : otherApi)),
  );
  expect(answers.filter(({ body }) => body.valid)).toHaveLength(1);
  expect(answers.filter(({ body }) => body.status === 'already_used')).toHaveLength(99);
});

test('a code expires by the clock, though nobody has written it down', async () => {
  const { id, code } = await send({ ttlSeconds: 60 });
  offsetMs = 60_000;
  expect((await verify(id, code)).body).toEqual({
    verificationId: id,
    valid: false,
    status: 'expired',
    attemptsRemaining: 0,
  });
  const rows = await db.query('select status, attempts from security_codes where id = ?', [id]);
  expect(rows).toEqual([{ status: 'pending', attempts: 0 }]);
});

test('letters count alike in either case', async () => {
  const { id, code } = await send({ code: { type: 'alphanumeric', length: 10 } });
  expect((await verify(id, code.toLowerCase())).body.valid).toBe(true);
});

test('the code of one verification is wrong for another', async () => {
  const [ours, theirs] = [await send({ code: { length: 10 } }), await send({ code: { length: 10 } })];
  expect((await verify(ours.id, theirs.code)).body.status).toBe('incorrect');
});

test('equal codes do not look equal where they are stored', async () => {
  const codes = await Promise.all(Array.from({ length: 40 }, () => send({ code: { length: 4 } })));
  const rows = await db.query<{ hash: string }>(
    `select encode(code_hash, 'hex') as hash from security_codes`,
  );
  expect(new Set(rows.map(({ hash }) => hash)).size).toBe(rows.length);
  for (const { hash } of rows) expect(hash).toMatch(/^[0-9a-f]{64}$/);
  expect(codes).toHaveLength(40);
});

test('the three encodings get the same answer', async () => {
  const { id, code } = await send();
  const fields = { verificationId: id, code: wrongCodes(code, 1)[0]! };
  const bodies: CallOptions[] = [{ json: fields }, { form: fields }, { multipart: fields }];
  for (const [index, options] of bodies.entries()) {
    expect((await call(options)).body).toMatchObject({ status: 'incorrect', attemptsRemaining: 4 - index });
  }
  // A code is text: its leading zeros count, in forms too.
  for (const encoding of ['json', 'form', 'multipart'] as const) {
    const zeros = await send({ code: { length: 4 } });
    await db.query(`update security_codes set code_hash = decode(?, 'hex') where id = ?`, [
      hashCode(securityCodePepper, zeros.id, '0012'),
      zeros.id,
    ]);
    const answer = await call({ [encoding]: { verificationId: zeros.id, code: '0012' } });
    expect(answer.body.valid).toBe(true);
  }
});

test('what does not exist, what is another organization’s and what is another environment’s are the same 404, uncounted', async () => {
  const { id, code } = await send();
  const ofTest = await send({}, testKey);
  const stranger = await (await createTenant(db.database)).createKey();
  const answers = [
    await call({ json: { verificationId: '019aa3c0-1f4e-7a51-8f0a-5d1a2d0c9b11', code } }),
    await call({ json: { verificationId: 'nonsense', code } }),
    await call({ key: stranger, json: { verificationId: id, code } }),
    await call({ key: testKey, json: { verificationId: id, code } }),
    await call({ json: { verificationId: ofTest.id, code: ofTest.code } }),
  ];
  const bodies = answers.map(({ status, body }) => ({ status, ...body, requestId: '' }));
  expect(bodies[0]).toMatchObject({ status: 404, code: 'not_found' });
  for (const body of bodies) expect(body).toEqual(bodies[0]);
  const rows = await db.query('select status, attempts from security_codes where id in (?, ?)', [
    id,
    ofTest.id,
  ]);
  expect(rows).toEqual(Array.from({ length: 2 }, () => ({ status: 'pending', attempts: 0 })));
});

test('guesses of several organizations that are counted together reach only codes of their own organization', async () => {
  const stranger = await (await createTenant(db.database)).createKey();
  const codes = await Promise.all(Array.from({ length: 20 }, () => send()));
  const answers = await Promise.all(
    codes.flatMap(({ id, code }) => [
      call({ key: stranger, json: { verificationId: id, code } }),
      verify(id, wrongCodes(code, 1)[0]!),
      verify(id, code),
    ]),
  );
  const results = answers.map(({ status, body }) => (status === 200 ? body.status : status));
  expect(results).toEqual(codes.flatMap(() => [404, 'incorrect', 'verified']));
});

test('a session verifies what its organization sent, in either environment', async () => {
  const person = await signUp(api);
  await db.query(
    `insert into members (id, organization_id, user_id, role, created_at) values (gen_random_uuid(), ?, ?, 'member', now())`,
    [tenant.organizationId, person.userId],
  );
  for (const { id, code } of [await send(), await send({}, testKey)]) {
    const answer = await person.call('POST', '/api/v1/security-codes/verify', {
      json: { verificationId: id, code },
    });
    expect(answer.body.valid).toBe(true);
  }
});

describe('bad input is told by status and code, and counts no guess', () => {
  // prettier-ignore
  const table: [name: string, body: (id: string) => CallOptions, field: string][] = [
    ['no code', (verificationId) => ({ json: { verificationId } }), '/body/code'],
    ['no verificationId', () => ({ json: { code: '123456' } }), '/body/verificationId'],
    ['a code of 3 characters', (verificationId) => ({ json: { verificationId, code: '123' } }), '/body/code'],
    ['a code of 11 characters', (verificationId) => ({ json: { verificationId, code: '12345678901' } }), '/body/code'],
    ['a code that is a number', (verificationId) => ({ json: { verificationId, code: 123456 } }), '/body/code'],
    ['a code that is an object', (verificationId) => ({ json: { verificationId, code: { type: 'numeric' } } }), '/body/code'],
    ['an empty verificationId', () => ({ json: { verificationId: '', code: '123456' } }), '/body/verificationId'],
    ['a verificationId of 101 characters', () => ({ json: { verificationId: 'a'.repeat(101), code: '123456' } }), '/body/verificationId'],
    ['an unknown field', (verificationId) => ({ json: { verificationId, code: '123456', colour: 'red' } }), '/body/colour'],
    ['several codes in a form', (verificationId) => ({ form: new URLSearchParams([['verificationId', verificationId], ['code', '1111'], ['code', '2222']]) }), '/body/code'],
  ];
  test.each(table)('%s', async (...[_name, options, field]) => {
    const { id } = await send();
    const answer = await call(options(id));
    expect(answer.body).toMatchObject({ status: 400, code: 'invalid_request' });
    expect(answer.body.errors.map((error: { path: string }) => error.path)).toContain(field);
    const rows = await db.query('select attempts from security_codes where id = ?', [id]);
    expect(rows).toEqual([{ attempts: 0 }]);
  });
});
