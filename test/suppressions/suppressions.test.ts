import { sqlOf } from '../../src/database.ts';
import {
  claimDueMessages,
  findUnsendableMessages,
} from '../../src/messages/submission/claim-due-messages.ts';
import { draftMessage } from '../../src/messages/draft-message.ts';
import { storeMessages } from '../../src/messages/store-messages.ts';
import { asTenants } from '../../src/organizations/organization-scope.ts';
import { startTestApi, type CallOptions, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { problemOf } from '../helpers/people.ts';
import { createTenant, type Tenant } from '../helpers/tenants.ts';

const path = '/api/v1/suppressions';

let db: TestDatabase;
let api: TestApi;
let tenant: Tenant;
let live: string;
let testKey: string;
let strangersKey: string;

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database });
  tenant = await createTenant(db.database);
  live = await tenant.createKey();
  testKey = await tenant.createKey({ environment: 'test' });
  strangersKey = await (await createTenant(db.database)).createKey();
});

afterAll(async () => {
  await api.stop();
  await db.drop();
});

let numbers = 0;
function nextNumber(): string {
  numbers += 1;
  return `+2519110${String(numbers).padStart(5, '0')}`;
}

const suppress = (phoneNumber: string, more: object = {}, key = live) =>
  api.call('POST', path, { key, json: { phoneNumber, ...more } });
const lift = (idOrNumber: string, key = live) =>
  api.call('DELETE', `${path}/${encodeURIComponent(idOrNumber)}`, { key });
const send = (to: string, key = live, more: object = {}) =>
  api.call('POST', '/api/v1/messages', { key, json: { to, text: 'Selam', ...more } });
const stored = () => db.query('select * from suppressions order by id');

describe('suppressing a number', () => {
  test('makes a record of it in E.164; a second time is answered with the first', async () => {
    const first = await suppress('0911234567', { reason: 'Asked by phone.' });
    expect(first).toMatchObject({
      status: 201,
      body: {
        organizationId: tenant.organizationId,
        phoneNumber: '+251911234567',
        reason: 'Asked by phone.',
      },
    });
    const second = await suppress('+251911234567', { reason: 'Another reason.' });
    expect(second).toMatchObject({ status: 200, body: first.body });
  });

  test('of ten at once, one makes it and all are told the same', async () => {
    const number = nextNumber();
    const answers = await Promise.all(Array.from({ length: 10 }, () => suppress(number)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(9);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  });

  test('the three encodings do the same', async () => {
    const encodings: ((fields: Record<string, string>) => CallOptions)[] = [
      (json) => ({ json }),
      (form) => ({ form }),
      (multipart) => ({ multipart }),
    ];
    for (const encode of encodings) {
      const fields = {
        phoneNumber: nextNumber(),
        reason: 'ተወኝ & more',
        organizationId: tenant.organizationId,
      };
      const { status, body } = await api.call('POST', path, { key: live, ...encode(fields) });
      expect({ status, body }).toMatchObject({ status: 201, body: fields });
    }
  });

  // prettier-ignore
  test.each<[string, Record<string, unknown>, number, string, string]>([
    ['no number', { phoneNumber: undefined }, 400, 'invalid_request', '/body/phoneNumber'],
    ['a number of 7 characters', { phoneNumber: '0911234' }, 400, 'invalid_request', '/body/phoneNumber'],
    ['a number of 17 characters', { phoneNumber: '+2519112345678901' }, 400, 'invalid_request', '/body/phoneNumber'],
    ['letters', { phoneNumber: 'ACME-PARCELS' }, 422, 'invalid_recipient', '/body/phoneNumber'],
    ['an impossible number', { phoneNumber: '+25191123456' }, 422, 'invalid_recipient', '/body/phoneNumber'],
    ['a reason of 501 characters', { reason: 'x'.repeat(501) }, 400, 'invalid_request', '/body/reason'],
    ['a field there is not', { until: 'tomorrow' }, 400, 'invalid_request', '/body/until'],
  ])('%s is refused, and nothing is stored', async (_name, change, status, code, at) => {
    const before = await stored();
    const { body } = await api.call('POST', path, { key: live, json: { phoneNumber: '0911999999', ...change } });
    expect(body).toMatchObject({ status, code, errors: [{ path: at }] });
    expect(await stored()).toEqual(before);
  });
});

describe('a suppressed number', () => {
  test.each([
    ['live', () => live],
    ['test', () => testKey],
  ])('gets no %s message, however it is written, and nothing is stored', async (_environment, key) => {
    const number = nextNumber();
    await suppress(number);
    const before = await db.query('select id from messages order by id');
    for (const spelling of [number, `0${number.slice(4)}`, number.slice(4)]) {
      const answer = await send(spelling, key());
      expect(problemOf(answer)).toEqual({ status: 422, code: 'recipient_opted_out' });
      expect(answer.body.errors).toMatchObject([{ path: '/body/to', code: 'recipient_opted_out' }]);
    }
    expect(await db.query('select id from messages order by id')).toEqual(before);
  });

  test('is written to by others, who did not suppress it', async () => {
    const number = nextNumber();
    await suppress(number);
    expect((await send(number, strangersKey)).status).toBe(202);
  });

  test('is refused alone among messages that are stored together', async () => {
    const suppressed = nextNumber();
    await suppress(suppressed);
    const recipients = Array.from({ length: 30 }, (_, index) =>
      index % 3 === 0 ? suppressed : nextNumber(),
    );
    const answers = await Promise.all(recipients.map((to) => send(to)));
    expect(answers.map(({ status }) => status)).toEqual(
      recipients.map((to) => (to === suppressed ? 422 : 202)),
    );
    expect(answers.filter(({ status, body }) => status === 202 && !body.id)).toEqual([]);
  });

  test('is told by an estimate in the words of the refusal, after what comes before it', async () => {
    const number = nextNumber();
    await suppress(number);
    const estimate = async (more: object = {}) =>
      (
        await api.call('POST', '/api/v1/messages/estimate', {
          key: live,
          json: { to: number, text: 'Selam', ...more },
        })
      ).body;
    const refusal = (await send(number)).body;
    expect(await estimate()).toMatchObject({
      from: tenant.sender,
      wouldBeRefused: { code: 'recipient_opted_out', message: refusal.detail },
    });
    const unapproved = { from: 'NOBODY' };
    expect(await estimate(unapproved)).toMatchObject({ wouldBeRefused: { code: 'sender_not_approved' } });
    expect(problemOf(await send(number, live, unapproved)).code).toBe('sender_not_approved');
    await lift(number);
    expect(await estimate()).toMatchObject({ wouldBeRefused: null });
  });
});

test('a draft that ignores the list is stored, and its message remembers it', async () => {
  const number = nextNumber();
  await suppress(number);
  const { organizationId } = tenant;
  const input = { to: number, text: 'Your code is 123456' };
  const ordinary = draftMessage({ organizationId, environment: 'live' }, input, [], new Date());
  const code = {
    ...draftMessage({ organizationId, environment: 'live' }, input, [], new Date()),
    ignoresSuppression: true,
  };
  const outcomes = await asTenants(db.database, [organizationId], (connection) =>
    storeMessages(connection, [ordinary, code]),
  );
  expect(outcomes).toEqual([
    { outcome: 'recipient_opted_out' },
    { outcome: 'stored', sender: tenant.sender },
  ]);
  const rows = await db.query('select id, ignores_suppression from messages where recipient = ?', [number]);
  expect(rows).toEqual([{ id: code.id, ignores_suppression: true }]);
});

test('a message whose recipient opted out since is not claimed, whatever else is due', async () => {
  const [out, other] = [nextNumber(), nextNumber()];
  const ids = [(await send(out)).body.id as string, (await send(other)).body.id as string];
  const dispatchId = ids[0]!;
  await db.query('update messages set dispatch_id = ? where id in (?, ?)', [dispatchId, ...ids]);
  await suppress(out);
  const due = { dispatchId, isShared: false, now: new Date(), limit: 10, claimSeconds: 60 };
  const claimed = await claimDueMessages(sqlOf(db.database), due);
  expect(claimed.map(({ id }) => id)).toEqual([ids[1]]);
  const unsendable = await findUnsendableMessages(sqlOf(db.database), dispatchId, due.now);
  expect(unsendable).toEqual([{ id: ids[0], reason: 'recipient_opted_out' }]);
});

describe('lifting a suppression', () => {
  test.each<[string, (record: { id: string; phoneNumber: string }) => string]>([
    ['by its id', ({ id }) => id],
    ['by its number', ({ phoneNumber }) => phoneNumber],
    ['by its number in national form', ({ phoneNumber }) => `0${phoneNumber.slice(4)}`],
  ])('%s lets the number be written to again', async (_name, name) => {
    const number = nextNumber();
    const { body } = await suppress(number);
    expect((await lift(name(body))).status).toBe(204);
    expect((await send(number)).status).toBe(202);
    expect((await lift(name(body))).status).toBe(404);
  });

  test('a stranger’s is as unknown as none', async () => {
    const { body } = await suppress(nextNumber());
    const none = await lift('019aa3c0-1f4e-7a51-8f0a-5d1a2d0c9b11', strangersKey);
    for (const name of [body.id, body.phoneNumber, 'x', '+1']) {
      const { status, body: answer } = await lift(name, strangersKey);
      expect({ status, answer: { ...answer, requestId: '' } }).toEqual({
        status: 404,
        answer: { ...none.body, requestId: '' },
      });
    }
    expect(await db.query('select from suppressions where id = ?', [body.id])).toHaveLength(1);
  });
});

describe('the list', () => {
  let key: string;
  const list = async (query = '') => (await api.call('GET', `${path}?${query}`, { key })).body;

  beforeAll(async () => {
    key = await (await createTenant(db.database)).createKey();
    for (const number of ['0922000001', '0922000002', '0733000001']) await suppress(number, {}, key);
  });

  // prettier-ignore
  test.each<[string, string[]]>([
    ['', ['+251733000001', '+251922000002', '+251922000001']],
    ['search=0922000001', ['+251922000001']],
    ['search=%2B251922000001', ['+251922000001']],
    ['search=+251922000001', ['+251922000001']],
    ['search=922%20000%20001', ['+251922000001']],
    ['search=0922', ['+251922000002', '+251922000001']],
    ['search=000001', ['+251733000001', '+251922000001']],
    ['search=0911234567', []],
    ['search=x', []],
    ['search=%25', []],
  ])('%s finds %j', async (query, found) => {
    expect((await list(query)).data.map(({ phoneNumber }: { phoneNumber: string }) => phoneNumber)).toEqual(found);
  });

  test('goes on where the page before ended', async () => {
    const first = await list('limit=2');
    const second = await list(`limit=2&cursor=${first.pagination.nextCursor}`);
    expect(second).toMatchObject({
      data: [{ phoneNumber: '+251922000001' }],
      pagination: { nextCursor: null },
    });
  });

  test.each(['limit=0', 'cursor=x', 'reason=x'])('%s is refused', async (query) => {
    expect(await list(query)).toMatchObject({ status: 400, code: 'invalid_request' });
  });
});
