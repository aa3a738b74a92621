import { startTestApi, type Answer, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { approveNumber } from '../helpers/inbound.ts';
import { problemOf } from '../helpers/people.ts';
import { createTenant } from '../helpers/tenants.ts';

const path = '/api/v1/inbound/keywords';

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

interface Caller {
  organizationId: string;
  sender: string;
  key: string;
}

async function createCaller(...numbers: string[]): Promise<Caller> {
  const tenant = await createTenant(db.database);
  for (const number of numbers) await approveNumber(db, tenant.organizationId, number);
  return { ...tenant, key: await tenant.createKey() };
}

const make = ({ key }: Caller, json: object = {}): Promise<Answer> =>
  api.call('POST', path, { key, json: { keyword: 'INFO', response: 'Hello', ...json } });
const change = ({ key }: Caller, id: string, json: object): Promise<Answer> =>
  api.call('PATCH', `${path}/${id}`, { key, json });
const remove = ({ key }: Caller, id: string): Promise<Answer> => api.call('DELETE', `${path}/${id}`, { key });
const list = ({ key }: Caller, query = ''): Promise<Answer> => api.call('GET', `${path}${query}`, { key });
const stored = ({ organizationId }: Caller) =>
  db.query('select * from inbound_keywords where organization_id = ? order by id', [organizationId]);

const byNumber = (first: number, second: number): number => first - second;

describe('a keyword rule', () => {
  test('is made with its defaults, listed, changed and deleted', async () => {
    const caller = await createCaller();
    const made = await make(caller, { keyword: ' ሰላም ' });
    expect(made).toMatchObject({
      status: 201,
      body: {
        ...{ organizationId: caller.organizationId, keyword: ' ሰላም ', response: 'Hello', matchType: 'exact' },
        ...{ sender: null, enabled: true },
      },
    });
    const id = made.body.id as string;
    expect((await list(caller)).body.data).toEqual([made.body]);
    const changed = await change(caller, id, {
      ...{ keyword: 'PRICE', response: 'x', matchType: 'contains', sender: caller.sender, enabled: false },
    });
    expect(changed).toMatchObject({
      status: 200,
      body: {
        id,
        keyword: 'PRICE',
        response: 'x',
        matchType: 'contains',
        sender: caller.sender,
        enabled: false,
      },
    });
    expect((await change(caller, id, {})).body).toMatchObject({ keyword: 'PRICE', sender: caller.sender });
    expect((await change(caller, id, { sender: null })).body).toMatchObject({
      keyword: 'PRICE',
      sender: null,
    });
    expect((await remove(caller, id)).status).toBe(204);
    expect(problemOf(await remove(caller, id))).toEqual({ status: 404, code: 'not_found' });
    expect((await list(caller)).body.data).toEqual([]);
  });

  test.each<[string, object, number, string, string?]>([
    ['no keyword', { keyword: undefined }, 400, 'invalid_request', '/body/keyword'],
    ['an empty keyword', { keyword: '' }, 400, 'invalid_request', '/body/keyword'],
    ['a keyword of 101 characters', { keyword: 'x'.repeat(101) }, 400, 'invalid_request', '/body/keyword'],
    ['a keyword of null', { keyword: null }, 400, 'invalid_request', '/body/keyword'],
    ['no response', { response: undefined }, 400, 'invalid_request', '/body/response'],
    ['an empty response', { response: '' }, 400, 'invalid_request', '/body/response'],
    [
      'a response of 1,601 characters',
      { response: 'ሰ'.repeat(1601) },
      400,
      'invalid_request',
      '/body/response',
    ],
    ['an unknown matchType', { matchType: 'regex' }, 400, 'invalid_request', '/body/matchType'],
    ['a sender of 21 characters', { sender: 'x'.repeat(21) }, 400, 'invalid_request', '/body/sender'],
    ['a number as enabled', { enabled: 1 }, 400, 'invalid_request', '/body/enabled'],
    ['a field that there is not', { color: 'red' }, 400, 'invalid_request', '/body'],
    ['NUL in its response', { response: 'a\0' }, 400, 'invalid_request', '/body/response'],
    ['a sender that is not approved', { sender: 'NOT-MINE' }, 422, 'sender_not_approved', '/body/sender'],
    ['the sender of test keys', { sender: 'TEST' }, 422, 'sender_not_approved', '/body/sender'],
    ...['STOP', ' stop! ', 'Start', 'አቁም', 'ｑｕｉｔ', 'END', 'cancel', 'unsubscribe'].map(
      (keyword): [string, object, number, string, string] => [
        `the keyword ${keyword}`,
        { keyword, matchType: 'contains' },
        422,
        'keyword_reserved',
        '/body/keyword',
      ],
    ),
  ])(
    'with %s is refused, when it is made and when it is changed, and changes nothing',
    async (...[, json, status, code, at]) => {
      const caller = await createCaller();
      const { body } = await make(caller, { keyword: 'KEEP' });
      const before = await stored(caller);
      const answers = [await make(caller, json)];
      // What is not given, null or empty stays as it is in a change.
      if (!Object.values(json).some((value) => value === undefined || value === null || value === ''))
        answers.push(await change(caller, body.id as string, json));
      for (const answer of answers) {
        expect(problemOf(answer)).toEqual({ status, code });
        expect(
          (answer.body.errors as { path: string }[]).some(({ path: where }) => where.startsWith(at!)),
        ).toBe(true);
      }
      expect(await stored(caller)).toEqual(before);
    },
  );

  test('is the longest that there may be: 100 emoji, answered with 1,600 characters', async () => {
    const caller = await createCaller();
    const json = { keyword: '😀'.repeat(100), response: '😀'.repeat(1600) };
    expect(await make(caller, json)).toMatchObject({ status: 201, body: json });
  });

  test.each([
    ['in another case', 'info'],
    ['with space around', ' INFO '],
    ['in another Unicode form', 'ＩＮＦＯ'],
  ])('is refused where the organization has one with the same matchType %s', async (...[, keyword]) => {
    const caller = await createCaller();
    await make(caller);
    const before = await stored(caller);
    expect(problemOf(await make(caller, { keyword }))).toEqual({ status: 409, code: 'already_exists' });
    expect(await stored(caller)).toEqual(before);
    const other = await make(caller, { keyword, matchType: 'contains' });
    expect(other.status).toBe(201);
    expect(problemOf(await change(caller, other.body.id as string, { matchType: 'exact' }))).toEqual({
      ...{ status: 409, code: 'already_exists' },
    });
    expect((await change(caller, other.body.id as string, { keyword, response: 'y' })).status).toBe(200);
  });

  test('ten times at once is made once', async () => {
    const caller = await createCaller();
    const answers = await Promise.all(Array.from({ length: 10 }, () => make(caller)));
    expect(answers.map(({ status }) => status).toSorted(byNumber)).toEqual([
      201,
      ...Array<number>(9).fill(409),
    ]);
  });

  test.each(['x', '019aa3c0-1f4e-7a51-8f0a-5d1a2d0c9b11'])(
    'that there is not (%s) is not found',
    async (id) => {
      const caller = await createCaller();
      for (const answer of [await change(caller, id, { response: 'x' }), await remove(caller, id)]) {
        expect(problemOf(answer)).toEqual({ status: 404, code: 'not_found' });
      }
    },
  );

  test('of another organization is neither seen nor changed', async () => {
    const [caller, stranger] = [await createCaller(), await createCaller()];
    const { body } = await make(caller);
    const before = await stored(caller);
    expect((await list(stranger)).body.data).toEqual([]);
    for (const answer of [
      await change(stranger, body.id as string, { response: 'x' }),
      await remove(stranger, body.id as string),
    ]) {
      expect(problemOf(answer)).toEqual({ status: 404, code: 'not_found' });
    }
    expect(await stored(caller)).toEqual(before);
  });

  test('is listed page by page, the newest first', async () => {
    const caller = await createCaller();
    for (const keyword of ['one', 'two', 'three']) await make(caller, { keyword });
    const first = (await list(caller, '?limit=2')).body;
    const second = (await list(caller, `?limit=2&cursor=${first.pagination.nextCursor as string}`)).body;
    const keywords = [first, second].map(({ data }) =>
      (data as { keyword: string }[]).map(({ keyword }) => keyword),
    );
    expect(keywords).toEqual([['three', 'two'], ['one']]);
    expect(second.pagination.nextCursor).toBeNull();
  });
});

describe('organizations that share a short code', () => {
  test('have a keyword with a matchType once; who has it is not told, and others may have it', async () => {
    const [one, other, third] = [
      await createCaller('6060'),
      await createCaller('6060', '6061'),
      await createCaller('6062'),
    ];
    await make(one);
    const refused = await make(other, { keyword: 'info ' });
    expect(problemOf(refused)).toEqual({ status: 409, code: 'already_exists' });
    expect(refused.body.detail).toContain('6060');
    expect(JSON.stringify(refused.body)).not.toContain(one.organizationId);
    expect((await make(other, { matchType: 'starts_with' })).status).toBe(201);
    const { body } = await make(other, { keyword: 'OTHER' });
    expect(problemOf(await change(other, body.id as string, { keyword: 'Info' })).code).toBe(
      'already_exists',
    );
    expect((await make(third)).status).toBe(201);
    expect((await stored(other)).length).toBe(2);
  });

  test('hold a keyword by an enabled rule only: who enables the second is refused, until the first is disabled', async () => {
    const [one, other] = [await createCaller('6064'), await createCaller('6064')];
    const disabled = (await make(one, { enabled: false })).body.id as string;
    const enabled = await make(other);
    expect(enabled.status).toBe(201);
    expect((await change(one, disabled, { response: 'y' })).status).toBe(200);
    const before = await stored(one);
    expect(problemOf(await change(one, disabled, { enabled: true }))).toEqual({
      status: 409,
      code: 'already_exists',
    });
    expect(await stored(one)).toEqual(before);
    expect((await change(other, enabled.body.id as string, { enabled: false })).status).toBe(200);
    expect((await change(one, disabled, { enabled: true })).status).toBe(200);
    expect(problemOf(await change(other, enabled.body.id as string, { enabled: true })).code).toBe(
      'already_exists',
    );
  });

  test('enable one however many enable theirs at the same moment', async () => {
    const [one, other] = [await createCaller('6065'), await createCaller('6065')];
    for (let round = 0; round < 5; round += 1) {
      const json = { keyword: `WORD ${round}`, enabled: false };
      const made = await Promise.all([one, other].map((caller) => make(caller, json)));
      expect(made.map(({ status }) => status)).toEqual([201, 201]);
      const answers = await Promise.all(
        [one, other].map((caller, index) =>
          change(caller, made[index]!.body.id as string, { enabled: true }),
        ),
      );
      expect(answers.map(({ status }) => status).toSorted(byNumber)).toEqual([200, 409]);
    }
  });

  test('get it once however many ask at the same moment, over two codes and either way', async () => {
    const [one, other] = [await createCaller('6070', '6071'), await createCaller('6071', '6070')];
    for (let round = 0; round < 5; round += 1) {
      const json = { keyword: `WORD ${round}` };
      const answers = await Promise.all([one, other, one, other].map((caller) => make(caller, json)));
      expect(answers.map(({ status }) => status).toSorted(byNumber)).toEqual([201, 409, 409, 409]);
    }
  });
});
