import { loadContract } from '../../src/http/contract/contract.ts';
import { gatewayToken, previousGatewayToken, startTestApi, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { createTenant, type Tenant } from '../helpers/tenants.ts';

let db: TestDatabase;
let api: TestApi;
let tenant: Tenant;
let key: string;

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database });
  tenant = await createTenant(db.database);
  key = await tenant.createKey();
});

afterAll(async () => {
  await api.stop();
  await db.drop();
});

async function send(): Promise<string> {
  const json = {
    to: '0911234567',
    text: 'Selam',
    webhook: { url: 'https://example.com/', secret: 'x'.repeat(16) },
  };
  return (await api.call('POST', '/api/v1/messages', { key, json })).body.id as string;
}

function report(messageId: string, status: string | number, extra: Record<string, string> = {}) {
  const query = new URLSearchParams({ messageId, token: gatewayToken, status: String(status), ...extra });
  return api.call('GET', `/api/v1/gateway/dlr?${query.toString()}`);
}

async function read(id: string) {
  return (await api.call('GET', `/api/v1/messages/${id}`, { key })).body;
}

async function webhooksOf(id: string): Promise<{ event: string; data: any }[]> {
  const rows = await db.query<{ event: string; body: string }>(
    'select event, body from webhook_deliveries where message_id = ? order by position',
    [id],
  );
  return rows.map(({ event, body }) => ({ event, data: JSON.parse(body).data }));
}

async function timeline(id: string): Promise<{ kind: string; status: string | null; details: any }[]> {
  return db.query(
    'select kind, status, details from message_events where message_id = ? order by message_events.id',
    [id],
  );
}

// prettier-ignore
const stories: [name: string, reports: (string | number)[], status: string, errorCode: string | null, events: string[]][] = [
  ['8 then 1', [8, 1], 'delivered', null, ['accepted', 'sent', 'delivered']],
  ['4, 8, 1', [4, 8, 1], 'delivered', null, ['accepted', 'sent', 'delivered']],
  ['1 without 8', [1], 'delivered', null, ['accepted', 'sent', 'delivered']],
  ['1 before 8', [1, 8], 'delivered', null, ['accepted', 'sent', 'delivered']],
  ['each twice', [8, 8, 1, 1], 'delivered', null, ['accepted', 'sent', 'delivered']],
  ['2', [8, 2], 'failed', 'undelivered', ['accepted', 'sent', 'failed']],
  ['16', [16], 'failed', 'smsc_rejected', ['accepted', 'failed']],
  ['2 after 1', [1, 2], 'delivered', null, ['accepted', 'sent', 'delivered']],
  ['1 after 2', [2, 1], 'failed', 'undelivered', ['accepted', 'sent', 'failed']],
  ['a value nobody knows', [64, 'abc', '-1', 999, '1'.repeat(21)], 'queued', null, []],
];

test.each(stories)(
  'reports %s: status, webhooks and timeline',
  async (_name, reports, status, errorCode, events) => {
    const id = await send();
    for (const value of reports) {
      expect((await report(id, value)).status).toBe(200);
    }
    const message = await read(id);
    expect({ status: message.status, errorCode: message.errorCode }).toEqual({ status, errorCode });
    for (const name of ['accepted', 'sent', 'delivered', 'failed']) {
      expect({ name, set: message[`${name}At`] !== null }).toEqual({ name, set: events.includes(name) });
    }
    const webhooks = await webhooksOf(id);
    expect(webhooks.map(({ event }) => event)).toEqual(events.map((event) => `message.${event}`));
    for (const { event, data } of webhooks) expect(`message.${data.status}`).toBe(event);
    const kept = (await timeline(id)).filter(({ kind }) => kind === 'report_received');
    expect(kept.map(({ details }) => details.value)).toEqual(reports.map(String));
  },
);

test('the data of a webhook are the message as it was at that step, with the fields of the specification and no others', async () => {
  const id = await send();
  await report(id, 1, { providerMessageId: 'smsc-7', smscId: 'ethio:1/(a)&b', to: '+251911234567' });
  const message = await read(id);
  const [, sent, delivered] = await webhooksOf(id);
  const { properties } = loadContract().resolve({ $ref: '#/components/schemas/MessageSnapshot' });
  expect(Object.keys(sent!.data)).toEqual(Object.keys(properties!));
  expect(sent!.data).toEqual({
    id,
    organizationId: tenant.organizationId,
    event: 'message.sent',
    status: 'sent',
    from: tenant.sender,
    to: '+251911234567',
    segments: 1,
    providerMessageId: 'smsc-7',
    errorCode: null,
    errorMessage: null,
    createdAt: message.createdAt,
    sentAt: message.sentAt,
    deliveredAt: null,
    failedAt: null,
  });
  expect(delivered!.data).toMatchObject({ status: 'delivered', deliveredAt: message.deliveredAt });
});

test('empty values, as Kannel sends them on early reports, are taken as not given', async () => {
  const id = await send();
  expect((await report(id, 8, { providerMessageId: '', smscId: '', to: '' })).status).toBe(200);
  expect((await read(id)).providerMessageId).toBeNull();
  await report(id, 1, { providerMessageId: 'late-id' });
  expect((await read(id)).providerMessageId).toBe('late-id');
});

test('no report is lost to strictness: parameters of the operator’s own, long ids, ids in upper case', async () => {
  const id = await send();
  const extra = { time: '2026-11-21 08:00', smscId: 's'.repeat(1001), providerMessageId: 'p'.repeat(1001) };
  expect((await report(id.toUpperCase(), 1, extra)).status).toBe(200);
  expect(await read(id)).toMatchObject({ status: 'delivered' });
});

test('many reports at once, several of one message among them, are each applied once', async () => {
  const ids = await Promise.all(Array.from({ length: 40 }, send));
  const answers = await Promise.all(ids.flatMap((id) => [8, 8, 1, 4, 1].map((value) => report(id, value))));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  for (const id of ids) {
    expect(await read(id)).toMatchObject({ status: 'delivered' });
    expect((await webhooksOf(id)).map(({ event }) => event)).toEqual([
      'message.accepted',
      'message.sent',
      'message.delivered',
    ]);
    expect((await timeline(id)).filter(({ kind }) => kind === 'report_received')).toHaveLength(5);
  }
});

describe('what is no report of ours changes nothing', () => {
  // prettier-ignore
  test.each([
    ['a message that does not exist', { messageId: '019aa3c0-1f4e-7a51-8f0a-5d1a2d0c9b11' }, 404, 'not_found'],
    ['an id that is no UUID', { messageId: "x' or 1=1 --" }, 404, 'not_found'],
    ['no token', { token: undefined }, 401, 'unauthenticated'],
    ['a wrong token', { token: 'wrong' }, 401, 'unauthenticated'],
    ['no message', { messageId: undefined }, 400, 'invalid_request'],
    ['no status', { status: undefined }, 400, 'invalid_request'],
    ['an id of 101 characters', { messageId: 'x'.repeat(101) }, 404, 'not_found'],
  ])('%s', async (_name, change: Record<string, string | undefined>, status, code) => {
    const id = await send();
    const before = await timeline(id);
    const given = { messageId: id, token: gatewayToken, status: '1', ...change };
    const query = new URLSearchParams(Object.entries(given).filter((pair): pair is [string, string] => pair[1] !== undefined));
    const answer = await api.call('GET', `/api/v1/gateway/dlr?${query.toString()}`);
    expect({ status: answer.status, code: answer.body.code }).toEqual({ status, code });
    expect(await timeline(id)).toEqual(before);
  });

  test.each([
    ['a byte that is not UTF-8', 'smscId=%ff'],
    ['NUL in an id', 'providerMessageId=a%00b'],
    ['half a surrogate pair', 'smscId=%ED%A0%80'],
    ['a parameter that comes twice', 'smscId=a&smscId=b'],
  ])('a report with %s counts', async (_what, parameters) => {
    const id = await send();
    const query = `messageId=${id}&token=${gatewayToken}&status=1&${parameters}`;
    expect((await api.call('GET', `/api/v1/gateway/dlr?${query}`)).status).toBe(200);
    expect(await read(id)).toMatchObject({ status: 'delivered' });
  });

  test.each(['/api/v1/gateway/dlr', '/api/v1/gateway/dlr/'])(
    'a report with the previous token counts while the token is changed: %s',
    async (path) => {
      const id = await send();
      const query = new URLSearchParams({ messageId: id, token: previousGatewayToken, status: '1' });
      expect((await api.call('GET', `${path}?${query.toString()}`)).status).toBe(200);
      expect(await read(id)).toMatchObject({ status: 'delivered' });
    },
  );

  test('HEAD is no report: it must change nothing', async () => {
    const id = await send();
    const query = new URLSearchParams({ messageId: id, token: gatewayToken, status: '1' });
    const answer = await api.call('HEAD', `/api/v1/gateway/dlr?${query.toString()}`);
    expect({ status: answer.status, allow: answer.headers.get('allow') }).toEqual({
      status: 405,
      allow: 'GET, OPTIONS',
    });
    expect(await read(id)).toMatchObject({ status: 'queued' });
  });

  test('an API key is no gateway token', async () => {
    const answer = await api.call('GET', `/api/v1/gateway/dlr?messageId=x&status=1&token=${key}`, { key });
    expect(answer.status).toBe(401);
  });

  test('a token given twice is none', async () => {
    const answer = await api.call(
      'GET',
      `/api/v1/gateway/dlr?messageId=x&status=1&token=${gatewayToken}&token=x`,
    );
    expect(answer.status).toBe(401);
  });
});
