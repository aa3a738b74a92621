import { bundleContract } from '../../src/http/contract/bundle-contract.ts';
import { gatewayToken, previousGatewayToken, startTestApi, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { approveNumber, giveMessage, processWaiting } from '../helpers/inbound.ts';
import { problemOf } from '../helpers/people.ts';
import { createTenant } from '../helpers/tenants.ts';

const path = '/api/v1/gateway/mo';
const valid = { from: '+251911234567', to: '8080', text: 'INFO' };

let db: TestDatabase;
let api: TestApi;
let now = new Date('2026-11-21T08:00:10Z');

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database, now: () => now });
});

afterAll(async () => {
  await api.stop();
  await db.drop();
});

beforeEach(() => db.query('delete from inbound_messages'));

const stored = () =>
  db.query<Record<string, unknown>>(
    `select sender, recipient, text, smsc_id, provider_message_id, status, organization_id
     from inbound_messages order by id`,
  );

const withQuery = (query: Record<string, string> | [string, string][]) =>
  api.call('GET', `${path}?${new URLSearchParams(query).toString()}`);

describe('the callback of messages from phones', () => {
  test('stores the message, and answers 200 with nothing, which Kannel would text to the phone', async () => {
    const answer = await withQuery({
      ...{ ...valid, from: '0911234567', token: gatewayToken },
      ...{ smscId: 'ethio-1', providerMessageId: 'ABC', timestamp: '1795248610' },
    });
    expect(answer).toMatchObject({ status: 200, body: '' });
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain/);
    expect(await stored()).toEqual([
      {
        ...{ sender: '+251911234567', recipient: '8080', text: 'INFO', smsc_id: 'ethio-1' },
        ...{ provider_message_id: 'ABC', status: 'received', organization_id: null },
      },
    ]);
  });

  test.each<[string, Record<string, string> | [string, string][], number]>([
    ['without a token', valid, 401],
    ['with a wrong token', { ...valid, token: `${gatewayToken}x` }, 401],
    ['with two tokens', [...Object.entries(valid), ['token', gatewayToken], ['token', gatewayToken]], 401],
    ...['from', 'to', 'text'].map((name): [string, Record<string, string>, number] => [
      `without ${name}`,
      Object.fromEntries(Object.entries({ ...valid, token: gatewayToken }).filter(([key]) => key !== name)),
      400,
    ]),
    ['from nobody', { ...valid, from: '', token: gatewayToken }, 400],
    ['to nobody', { ...valid, to: '', token: gatewayToken }, 400],
    ['from 33 characters', { ...valid, from: '1'.repeat(33), token: gatewayToken }, 400],
    ['to 33 characters', { ...valid, to: '1'.repeat(33), token: gatewayToken }, 400],
    ['with a long smscId', { ...valid, smscId: 'x'.repeat(101), token: gatewayToken }, 400],
    [
      'with a long providerMessageId',
      { ...valid, providerMessageId: 'x'.repeat(201), token: gatewayToken },
      400,
    ],
    ['with a long timestamp', { ...valid, timestamp: 'x'.repeat(101), token: gatewayToken }, 400],
    ['with two texts', [...Object.entries({ ...valid, token: gatewayToken }), ['text', 'again']], 400],
  ])('refuses one %s and stores nothing', async (...[, query, status]) => {
    expect((await withQuery(query)).status).toBe(status);
    expect(await stored()).toEqual([]);
  });

  test('takes one with the previous token while the token is changed', async () => {
    expect((await withQuery({ ...valid, token: previousGatewayToken })).status).toBe(200);
    expect(await stored()).toHaveLength(1);
  });

  test('refuses HEAD, POST and an API key in the place of the token', async () => {
    const key = await (await createTenant(db.database)).createKey();
    const query = new URLSearchParams({ ...valid }).toString();
    expect((await api.call('GET', `${path}?${query}`, { key })).status).toBe(401);
    for (const method of ['HEAD', 'POST']) {
      expect((await api.call(method, `${path}?${query}&token=${gatewayToken}`)).status).toBe(405);
    }
    expect(await stored()).toEqual([]);
  });

  test.each([
    ['an empty text, as an empty SMS has', '', ''],
    ['1,600 emoji', '😀'.repeat(1600), '😀'.repeat(1600)],
    ['more characters than a text should have', 'x'.repeat(3000), 'x'.repeat(3000)],
    ['Amharic', 'ሰላም ለዓለም።', 'ሰላም ለዓለም።'],
    ['line breaks', 'a\r\nb\n', 'a\r\nb\n'],
    [
      'what looks like SQL, HTML and a path',
      `'; drop table x; -- <b> ../ $x %d`,
      `'; drop table x; -- <b> ../ $x %d`,
    ],
    ['NUL, which PostgreSQL does not store', 'a\0b', 'a\u{fffd}b'],
    ['control characters', '\u0001\u001b\u007f', '\u0001\u001b\u007f'],
    ['brackets in its name', 'text[a]=b', 'text[a]=b'],
  ])('takes %s, for to refuse it would only have it repeated', async (...[, text, expected]) => {
    expect((await withQuery({ ...valid, text, token: gatewayToken })).status).toBe(200);
    expect(await stored()).toMatchObject([{ text: expected }]);
  });

  test('refuses a text that no SMS can have, as openapi.yaml says, before it looks at the token', async () => {
    const answer = await withQuery({ ...valid, text: 'x'.repeat(60_000), token: 'wrong' });
    expect(problemOf(answer)).toEqual({ status: 413, code: 'payload_too_large' });
    expect(await stored()).toEqual([]);
    const { paths } = bundleContract();
    expect(Object.keys(paths[path]!.get!.responses!)).toContain('413');
  });

  test.each([
    ['bytes that are no UTF-8', '%FF%FE%12'],
    ['broken percent signs', '100%'],
    ['half a surrogate pair', '%ED%A0%80'],
  ])('takes %s, as far as it can be read', async (...[, encoded]) => {
    const query = `from=%2B251911234567&to=8080&token=${gatewayToken}&text=${encoded}`;
    expect((await api.call('GET', `${path}?${query}`)).status).toBe(200);
    expect(await stored()).toHaveLength(1);
  });

  test('takes parameters of the operator’s own, and a plus that was not encoded', async () => {
    const query = `from=+251911234567&to=8080&text=a+b&token=${gatewayToken}&meta=x`;
    expect((await api.call('GET', `${path}?${query}`)).status).toBe(200);
    expect(await stored()).toMatchObject([{ sender: '+251911234567', text: 'a b' }]);
  });
});

describe('the same callback', () => {
  test('20 times at once is one message and one reply', async () => {
    const tenant = await createTenant(db.database);
    await approveNumber(db, tenant.organizationId, '7070');
    const key = await tenant.createKey();
    await api.call('POST', '/api/v1/inbound/keywords', { key, json: { keyword: 'INFO', response: 'x' } });
    const callback = { ...valid, to: '7070', providerMessageId: 'one', timestamp: '1' };
    const answers = await Promise.all(Array.from({ length: 20 }, () => giveMessage(api, callback)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await stored()).toHaveLength(1);
    await processWaiting(db);
    expect((await giveMessage(api, callback)).status).toBe(200);
    await processWaiting(db);
    expect(await db.query('select id from messages')).toHaveLength(1);
  });

  const id = { smscId: 's1', providerMessageId: 'p1', timestamp: '1' };
  const noId = { smscId: 's1', providerMessageId: '', timestamp: '1' };
  test.each([
    ['the same id', id, {}, 1],
    ['the same id at another time, as an SMSC repeats it', id, { timestamp: '2' }, 1],
    ['the same sender in another spelling', id, { from: '0911234567' }, 1],
    ['other ids and all else the same', id, { providerMessageId: 'p2' }, 2],
    ['the same id of another SMSC', id, { smscId: 's2' }, 2],
    ['the same id of another phone, for SMSCs use them again', id, { from: '+251911234568' }, 2],
    ['the same id and another text, for a STOP must not be lost', id, { text: 'STOP' }, 2],
    ['no ids, and the same text and time', noId, {}, 1],
    ['no ids, and another time', noId, { timestamp: '2' }, 2],
    ['no ids, and another text', noId, { text: 'other' }, 2],
    ['neither ids nor times', { ...noId, timestamp: '' }, {}, 1],
  ])('is known by %s', async (...[, first, difference, messages]) => {
    await giveMessage(api, { ...valid, ...first });
    await giveMessage(api, { ...valid, ...first, ...difference });
    expect(await stored()).toHaveLength(messages);
  });

  test('is another message in the next minute, where it has neither id nor time', async () => {
    const callback = { ...valid, providerMessageId: '', timestamp: '' };
    await giveMessage(api, callback);
    now = new Date('2026-11-21T08:01:10Z');
    await giveMessage(api, callback);
    expect(await stored()).toHaveLength(2);
  });
});
