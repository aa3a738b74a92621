import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { sql } from 'kysely';
import { removeExpiredKeys } from '../../src/idempotency/remove-expired-keys.ts';
import { digestBody } from '../../src/idempotency/idempotency-key-use.ts';
import { sqlOf, type Database } from '../../src/database.ts';
import type { CallOptions, TestApi } from '../helpers/api.ts';
import type { TestDatabase } from '../helpers/databases.ts';
import { createTenant, type Tenant } from '../helpers/tenants.ts';
import { startTwoApis, type TwoApis } from '../helpers/two-apis.ts';

let apis: TwoApis;
let db: TestDatabase;
let api: TestApi;
let otherApi: TestApi;
let otherDatabase: Database;
let tenant: Tenant;
let live: string;
let testKey: string;
let offsetMs = 0;

beforeAll(async () => {
  apis = await startTwoApis(() => new Date(Date.now() + offsetMs));
  ({ db, api, otherApi, otherDatabase, tenant, liveKey: live, testKey } = apis);
});

afterAll(() => apis.stop());

afterEach(() => {
  offsetMs = 0;
});

/** Both endpoints that take a key, with a body each, another body, and one that is refused. */
const routes = [
  {
    path: '/api/v1/messages',
    body: { to: '0911234567', text: 'Selam', metadata: { z: '1', a: { y: '"from":null', x: ['b', 'a'] } } },
    other: { to: '0911234567', text: 'Selam!' },
  },
  {
    path: '/api/v1/security-codes/send',
    body: { to: '0922345678', code: { type: 'numeric', length: '6' }, metadata: { z: '1', a: { y: 'q' } } },
    other: { to: '0922345678', purpose: 'other' },
  },
];

let keys = 0;
const newKey = (): string => `key-${(keys += 1)}`;

interface Raw {
  status: number;
  text: string;
  replayed: string | null;
  type: string | null;
  retryAfter: string | null;
  code: string | undefined;
}

/** Answers with the bytes, which the tests are about. */
async function post(
  path: string,
  idempotencyKey: string,
  json: unknown,
  options: { through?: TestApi; key?: string } = {},
): Promise<Raw> {
  const response = await fetch(`${(options.through ?? api).baseUrl}${path}`, {
    method: 'POST',
    headers: {
      'X-API-Key': options.key ?? live,
      'Content-Type': 'application/json',
      'Idempotency-Key': idempotencyKey,
    },
    body: JSON.stringify(json),
  });
  const text = await response.text();
  return {
    status: response.status,
    text,
    replayed: response.headers.get('idempotency-replayed'),
    type: response.headers.get('content-type'),
    retryAfter: response.headers.get('retry-after'),
    code: (JSON.parse(text) as { code?: string }).code,
  };
}

async function countRows(): Promise<{ messages: number; codes: number; keys: number }> {
  const [row] = await db.query<{ messages: number; codes: number; keys: number }>(
    `select (select count(*)::int from messages) as messages, (select count(*)::int from security_codes) as codes,
       (select count(*)::int from idempotency_keys) as keys`,
  );
  return row!;
}

/** How many messages more there are than before. */
async function messagesMade(work: () => Promise<unknown>): Promise<number> {
  const before = await countRows();
  await work();
  return (await countRows()).messages - before.messages;
}

let recipients = 0;
/** A recipient of its own, for a recipient is sent 5 codes at most. */
const nextRecipient = (): string => `+2519300${String((recipients += 1)).padStart(5, '0')}`;

describe.each(routes)('$path', ({ path, body: sample, other: otherSample }) => {
  let body: typeof sample;
  let other: typeof otherSample;

  beforeEach(() => {
    const to = nextRecipient();
    body = { ...sample, to };
    other = { ...otherSample, to };
  });

  test('the same request again gets the same bytes, marked, and makes nothing', async () => {
    const key = newKey();
    const made = await messagesMade(async () => {
      const first = await post(path, key, body);
      expect(first).toMatchObject({ status: 202, replayed: null });
      for (const through of [api, otherApi]) {
        expect(await post(path, key, body, { through })).toEqual({ ...first, replayed: 'true' });
      }
    });
    expect(made).toBe(1);
  });

  test('the encoding and the order of the fields do not make another request', async () => {
    const key = newKey();
    const first = await post(path, key, body);
    const reversed = Object.fromEntries(Object.entries(body).toReversed());
    const strings: Record<string, string> = {};
    for (const [name, value] of Object.entries(reversed)) {
      strings[name] = typeof value === 'string' ? value : JSON.stringify(value);
    }
    const sameAgain: CallOptions[] = [
      { json: reversed },
      { json: { ...body, organizationId: tenant.organizationId } },
      { form: strings },
      { multipart: strings },
      ...('code' in body
        ? [{ json: { ...body, code: { type: 'numeric', length: 6 }, ttlSeconds: '600' } }]
        : []),
    ];
    for (const options of sameAgain) {
      const answer = await api.call('POST', path, {
        key: live,
        headers: { 'Idempotency-Key': key },
        ...options,
      });
      expect(answer.headers.get('idempotency-replayed')).toBe('true');
      expect(JSON.stringify(answer.body)).toBe(first.text);
    }
  });

  test('another body with that key is refused, changes nothing, and leaves the key to its request', async () => {
    const key = newKey();
    const first = await post(path, key, body);
    const before = await countRows();
    expect(await post(path, key, other)).toMatchObject({ status: 422, code: 'idempotency_key_reused' });
    expect(await countRows()).toEqual(before);
    expect((await post(path, key, body)).text).toBe(first.text);
  });

  test('a refused request stores nothing: its key is free', async () => {
    const key = newKey();
    const before = await countRows();
    for (const [json, code] of [
      [{ ...body, from: 'NOT-MINE' }, 'sender_not_approved'],
      [{ ...body, to: '0111234567890' }, 'invalid_recipient'],
      [{ ...body, colour: 'red' }, 'invalid_request'],
    ] as const) {
      expect((await post(path, key, json)).code).toBe(code);
    }
    expect(await countRows()).toEqual(before);
    expect(await post(path, key, body)).toMatchObject({ status: 202, replayed: null });
  });

  test('what was answered is answered again though the sender is not approved any more', async () => {
    const key = newKey();
    const first = await post(path, key, body);
    await db.query(`update sender_ids set status = 'rejected' where organization_id = ?`, [
      tenant.organizationId,
    ]);
    const again = await post(path, key, body);
    const fresh = await post(path, newKey(), body);
    await db.query(`update sender_ids set status = 'approved' where organization_id = ?`, [
      tenant.organizationId,
    ]);
    expect(again).toEqual({ ...first, replayed: 'true' });
    expect(fresh.code).toBe('sender_required');
  });

  test('a key is of its organization, environment and route', async () => {
    const key = newKey();
    const stranger = await (await createTenant(db.database)).createKey();
    const elsewhere = routes.find((route) => route.path !== path)!;
    const to = nextRecipient();
    const made = await messagesMade(async () => {
      for (const answer of [
        await post(path, key, body),
        await post(path, key, body, { key: testKey }),
        await post(path, key, body, { key: stranger }),
        await post(elsewhere.path, key, { ...elsewhere.body, to }),
      ]) {
        expect(answer).toMatchObject({ status: 202, replayed: null });
      }
    });
    expect(made).toBe(4);
  });

  test('a key is kept 24 hours, and is free after that', async () => {
    const key = newKey();
    const first = await post(path, key, body);
    offsetMs = 24 * 3_600_000 - 60_000;
    expect((await post(path, key, body)).text).toBe(first.text);
    offsetMs = 24 * 3_600_000 + 1000;
    const second = await post(path, key, other);
    expect(second).toMatchObject({ status: 202, replayed: null });
    expect((await post(path, key, other)).text).toBe(second.text);
    expect((await post(path, key, body)).code).toBe('idempotency_key_reused');
  });

  test('50 at once over two processes are one message; each is answered the same, or told to repeat', async () => {
    const key = newKey();
    const answers: Raw[] = [];
    const made = await messagesMade(async () => {
      const posts = Array.from({ length: 50 }, (_, index) =>
        post(path, key, body, { through: index % 2 ? api : otherApi }),
      );
      answers.push(...(await Promise.all(posts)));
    });
    expect(made).toBe(1);
    const taken = answers.filter(({ status }) => status === 202);
    expect(taken.filter(({ replayed }) => replayed === null)).toHaveLength(1);
    expect(new Set(taken.map(({ text }) => text)).size).toBe(1);
    for (const answer of answers.filter(({ status }) => status !== 202)) {
      expect(answer).toMatchObject({ status: 409, code: 'idempotency_in_progress', retryAfter: '1' });
    }
    expect((await post(path, key, body)).text).toBe(taken[0]!.text);
  });

  test('50 different bodies at once with one key are one message', async () => {
    const key = newKey();
    const answers: Raw[] = [];
    const made = await messagesMade(async () => {
      const posts = Array.from({ length: 50 }, (_, index) =>
        post(path, key, { ...body, metadata: { index } }, { through: index % 2 ? api : otherApi }),
      );
      answers.push(...(await Promise.all(posts)));
    });
    expect(made).toBe(1);
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(1);
    for (const { status, code } of answers.filter((answer) => answer.status !== 202)) {
      expect([409, 422]).toContain(status);
      expect(['idempotency_in_progress', 'idempotency_key_reused']).toContain(code);
    }
  });

  test('while another transaction holds the key the answer is 409, at once, and other keys go on', async () => {
    const key = newKey();
    const route = `POST ${path}`;
    const name = JSON.stringify([tenant.organizationId, 'live', route, key]);
    await sqlOf(otherDatabase)
      .transaction()
      .execute(async (transaction) => {
        await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(transaction);
        const before = await countRows();
        const answer = await post(path, key, body);
        expect(answer).toMatchObject({ status: 409, code: 'idempotency_in_progress', retryAfter: '1' });
        expect(await countRows()).toEqual(before);
        expect((await post(path, newKey(), { ...body, to: nextRecipient() })).status).toBe(202);
      });
    expect((await post(path, key, body)).status).toBe(202);
  });

  test.each([
    ['an empty key', ''],
    ['a key of 256 characters', 'k'.repeat(256)],
  ])('%s is refused', async (...[, key]) => {
    const before = await countRows();
    const answer = await api.call('POST', path, {
      key: live,
      headers: { 'Idempotency-Key': key },
      json: body,
    });
    expect(answer.body).toMatchObject({ status: 400, code: 'invalid_request' });
    expect(answer.body.errors.map((error: { path: string }) => error.path)).toEqual([
      '/headers/idempotency-key',
    ]);
    expect(await countRows()).toEqual(before);
  });

  test.each([
    ['ASCII', 'k'],
    ['two bytes each', 'é'],
    ['three bytes each', 'ሰ'],
    ['two UTF-16 units each', '😀'],
  ])('a key has 1 to 255 characters, whatever they take: %s', async (_what, character) => {
    const before = await countRows();
    expect(await sendKeys([character.repeat(256)])).toMatchObject({
      status: 400,
      errors: [{ path: '/headers/idempotency-key', code: 'too_long' }],
    });
    expect(await countRows()).toEqual(before);
    const first = await sendKeys([character.repeat(255)]);
    expect(first).toMatchObject({ status: 202, replayed: undefined });
    const again = await sendKeys([character.repeat(255)]);
    expect(again).toEqual({ ...first, replayed: 'true' });
    expect(
      await db.query('select 1 from idempotency_keys where route = ? and key = ?', [
        `POST ${path}`,
        character.repeat(255),
      ]),
    ).toHaveLength(1);
  });

  test('a key in Latin 1, as browsers send it, is a key too', async () => {
    expect((await post(path, `${newKey()}-\u00e9`, body)).status).toBe(202);
  });

  test.each([
    ['two keys', ['one', 'two']],
    ['the same key twice', ['one', 'one']],
    ['two keys that are too long together', ['k'.repeat(200), 'l'.repeat(200)]],
  ])('%s in one request are refused, and nothing is stored', async (_what, given) => {
    const before = await countRows();
    expect(await sendKeys(given)).toMatchObject({
      status: 400,
      code: 'invalid_request',
      errors: [
        { path: '/headers/idempotency-key', code: 'too_many', message: 'must not come more than once' },
      ],
    });
    expect(await countRows()).toEqual(before);
  });

  test('another spelling of the same number is another body', async () => {
    const key = newKey();
    expect((await post(path, key, body)).status).toBe(202);
    const national = { ...body, to: body.to.replace('+251', '0') };
    expect(await post(path, key, national)).toMatchObject({ status: 422, code: 'idempotency_key_reused' });
  });

  /** Posts the body under these keys, each in a header of its own, in UTF-8; fetch would join them, in Latin 1. */
  async function sendKeys(given: string[]): Promise<Record<string, unknown>> {
    const request = httpRequest(`${api.baseUrl}${path}`, {
      method: 'POST',
      headers: {
        'X-API-Key': live,
        'Content-Type': 'application/json',
        'Idempotency-Key': given.map((key) => Buffer.from(key, 'utf8').toString('latin1')),
      },
    });
    // As bytes: with a string Node would send the headers in UTF-8 too, which they are already.
    request.end(Buffer.from(JSON.stringify(body)));
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    const answer = JSON.parse(await readText(response)) as object;
    return { ...answer, status: response.statusCode, replayed: response.headers['idempotency-replayed'] };
  }
});

test('among messages of one batch, those with keys and those without, each gets its own answer', async () => {
  const key = newKey();
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, index) => {
      const json = { to: '0911234567', text: index % 3 === 0 ? 'keyed' : `No. ${index}`, from: 'ACME' };
      if (index === 31)
        return api.call('POST', '/api/v1/messages', { key: live, json: { ...json, from: 'NOT-MINE' } });
      if (index % 3 === 1) return api.call('POST', '/api/v1/messages', { key: live, json });
      const headers = { 'Idempotency-Key': index % 3 === 0 ? key : `${key}-${index}` };
      return api.call('POST', '/api/v1/messages', { key: live, headers, json });
    }),
  );
  answers.forEach(({ status, body, headers }, index) => {
    if (index === 31) return expect(body.code).toBe('sender_not_approved');
    expect({ index, status }).toEqual({ index, status: 202 });
    expect(body.text).toBe(index % 3 === 0 ? 'keyed' : `No. ${index}`);
    if (index % 3 !== 0) expect(headers.get('idempotency-replayed')).toBeNull();
  });
  const rows = await db.query(`select id from messages where text = 'keyed'`);
  expect(rows).toHaveLength(1);
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(41);
});

test('behind a refused request with the same key in the same batch the next is told to repeat, never stored wrongly', async () => {
  const key = newKey();
  const send = (from: string) =>
    post('/api/v1/messages', key, { to: '0911234567', text: 'behind', from }, { through: api });
  const answers = await Promise.all([send('NOT-MINE'), send('ACME'), send('ACME')]);
  expect(answers[0]).toMatchObject({ status: 422, code: 'sender_not_approved' });
  for (const { status } of answers.slice(1)) expect([202, 409]).toContain(status);
  expect((await send('ACME')).status).toBe(202);
  expect(await db.query(`select id from messages where text = 'behind'`)).toHaveLength(1);
});

test('old keys are removed a thousand at a time, and none that still stands for its request', async () => {
  await db.query('delete from idempotency_keys');
  await db.query(
    `insert into idempotency_keys (organization_id, environment, route, key, digest, status, body, created_at)
     select ?, 'live', 'POST /x', 'old-' || n, '\\x00', 202, '{}',
       now() - case when n <= 1500 then interval '24 hours 1 second' else interval '23 hours 59 minutes' end
     from generate_series(1, 1600) n`,
    [tenant.organizationId],
  );
  const removed = await Promise.all([
    removeExpiredKeys(db.database, new Date()),
    removeExpiredKeys(otherDatabase, new Date()),
  ]);
  const rest = await removeExpiredKeys(db.database, new Date());
  expect(removed[0] + removed[1] + rest).toBe(1500);
  expect(Math.max(...removed)).toBeLessThanOrEqual(1000);
  expect((await countRows()).keys).toBe(100);
});

test('a digest tells apart what differs, and only that', () => {
  const digests = [
    {},
    { a: 1 },
    { a: '1' },
    { a: [1, 2] },
    { a: [2, 1] },
    { a: { 0: 1, 1: 2 } },
    { a: { fields: [['b', 1]] } },
    { a: { b: 1 } },
    { a: null },
  ].map(digestBody);
  expect(new Set(digests).size).toBe(digests.length);
  expect(digestBody({ a: 1, b: { c: 2, d: 3 } })).toBe(digestBody({ b: { d: 3, c: 2 }, a: 1, e: undefined }));
  expect(digestBody({})).toBe(createHash('sha256').update('{"fields":[]}').digest('hex'));
});
