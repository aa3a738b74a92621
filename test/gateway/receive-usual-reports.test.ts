import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import type { GatewayReport } from '../../src/gateway/receive-report.ts';
import { loadContract } from '../../src/http/contract/contract.ts';
import { receiveUsualReports } from '../../src/gateway/receive-usual-reports.ts';
import { gatewayToken, startTestApi, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { createTenant } from '../helpers/tenants.ts';

/** The query of a report. `{id}` and `{token}` stand for a message and for the right token. */
type Query = string;

// prettier-ignore
const usual: [what: string, query: Query][] = [
  ['what Kannel sends', 'messageId={id}&token={token}&status=1&smscId=fake&providerMessageId=42&to=%2B251911234567'],
  ['required parameters only', 'messageId={id}&token={token}&status=8'],
  ['empty optional parameters', 'messageId={id}&token={token}&status=8&smscId=&providerMessageId='],
  ['another order', 'status=16&token={token}&messageId={id}'],
  ['spaces and letters beyond ASCII', 'messageId={id}&token={token}&status=1&smscId=a+b%20%C3%A9%E1%88%B0'],
  ['a status that is no number', 'messageId={id}&token={token}&status=%26%3D'],
  ['an id in capitals', 'messageId={ID}&token={token}&status=1'],
  ['a message that does not exist', 'messageId=01a1fc36-be7d-730e-ba01-0e58086613c1&token={token}&status=1'],
  ['an id that is no UUID', 'messageId=x&token={token}&status=1'],
];

// prettier-ignore
const unusual: [what: string, query: Query][] = [
  ['no query', ''],
  ['a wrong token', 'messageId={id}&token=x&status=1'],
  ['no token', 'messageId={id}&status=1'],
  ['an empty token', 'messageId={id}&token=&status=1'],
  ['two tokens', 'messageId={id}&token={token}&token={token}&status=1'],
  ['no message', 'token={token}&status=1'],
  ['no status', 'messageId={id}&token={token}'],
  ['an empty status', 'messageId={id}&token={token}&status='],
  ['a parameter twice', 'messageId={id}&token={token}&status=1&smscId=a&smscId=b'],
  ['an unknown parameter', 'messageId={id}&token={token}&status=1&operator=x'],
  ['a name that is encoded', 'message%49d={id}&token={token}&status=1'],
  ['a parameter without a value', 'messageId={id}&token={token}&status=1&smscId'],
  ['an equals sign in a value', 'messageId={id}&token={token}&status=1&smscId=a=b'],
  ['an empty pair', 'messageId={id}&&token={token}&status=1'],
  ['bytes that are not UTF-8', 'messageId={id}&token={token}&status=1&smscId=%ff'],
  ['a bare percent sign', 'messageId={id}&token={token}&status=1&smscId=5%'],
  ['NUL', 'messageId={id}&token={token}&status=1&smscId=%00'],
];

function fill(query: Query, id: string): string {
  return query
    .replace('{id}', id)
    .replace('{ID}', id.toUpperCase())
    .replaceAll('{token}', encodeURIComponent(gatewayToken));
}

describe('the short way', () => {
  let server: Server;
  let url: string;
  let received: GatewayReport[];

  beforeAll(async () => {
    const receiveReport = (report: GatewayReport): Promise<void> => {
      received.push(report);
      return Promise.resolve();
    };
    const app = express().use(
      receiveUsualReports({ receiveReport, gatewayTokens: [gatewayToken] }, loadContract()),
    );
    app.use((_request, response) => void response.status(404).end());
    server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1/gateway/dlr`;
  });

  beforeEach(() => {
    received = [];
  });

  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });

  test.each(usual)('takes a report with %s', async (_what, query) => {
    expect((await fetch(`${url}?${fill(query, 'x')}`)).status).toBe(200);
    expect(received).toHaveLength(1);
  });

  test.each(unusual)('leaves a report with %s to the general way', async (_what, query) => {
    expect((await fetch(`${url}?${fill(query, 'x')}`)).status).toBe(404);
    expect(received).toEqual([]);
  });

  test.each(['HEAD', 'POST', 'OPTIONS'])('leaves %s to the general way', async (method) => {
    expect((await fetch(`${url}?${fill(usual[0]![1], 'x')}`, { method })).status).toBe(404);
    expect(received).toEqual([]);
  });
});

describe('both ways', () => {
  let db: TestDatabase;
  let api: TestApi;
  let key: string;

  beforeAll(async () => {
    db = await createTestDatabase();
    api = await startTestApi({ database: db.database });
    key = await (await createTenant(db.database)).createKey();
  });

  afterAll(async () => {
    await api.stop();
    await db.drop();
  });

  /** Sends the report of a new message to a path, and returns everything that can be seen of it. */
  async function report(path: string, query: Query) {
    const json = { to: '0911234567', text: 'Selam' };
    const { id } = (await api.call('POST', '/api/v1/messages', { key, json })).body as { id: string };
    const { status, headers, body } = await api.call('GET', `${path}?${fill(query, id)}`);
    const events = await db.query(
      'select kind, status, details from message_events where message_id = ? order by id',
      [id],
    );
    const [message] = await db.query('select status, provider_message_id from messages where id = ?', [id]);
    const shown = [...headers].filter(([name]) => !['x-request-id', 'date'].includes(name));
    return { status, headers: shown, body: { ...(body as object), requestId: null }, events, message };
  }

  // The path with a slash at its end always takes the general way.
  test.each([...usual, ...unusual])(
    'give the same response to a report with %s, and store the same',
    async (_what, query) => {
      const [short, general] = [
        await report('/api/v1/gateway/dlr', query),
        await report('/api/v1/gateway/dlr/', query),
      ];
      expect(short).toEqual(general);
    },
  );
});
