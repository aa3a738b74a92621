import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sqlOf } from '../../src/database.ts';
import { redriveDeadDeliveries } from '../../src/webhooks/redrive-deliveries.ts';
import { startTestService, type TestService } from '../helpers/temporal-service.ts';
import { createTenant } from '../helpers/tenants.ts';
import { until } from '../helpers/until.ts';

interface Received {
  path: string;
  delivery: string;
  event: string;
  timestamp: string;
  signature: string | undefined;
  body: string;
}

let service: TestService;
let key: string;
let received: Received[];
let answer: (request: Received, response: ServerResponse) => void;
let receiverUrl: string;
const receiver = createServer((request, response) => void take(request, response));

async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const one: Received = {
    path: request.url!,
    delivery: String(request.headers['x-service-delivery']),
    event: String(request.headers['x-service-event']),
    timestamp: String(request.headers['x-service-timestamp']),
    signature: request.headers['x-service-signature'] as string | undefined,
    body: Buffer.concat(chunks).toString(),
  };
  received.push(one);
  answer(one, response);
}

beforeAll(async () => {
  service = await startTestService();
  key = await (await createTenant(service.db.database)).createKey();
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
}, 60_000);

afterAll(async () => {
  await service.stop();
  receiver.closeAllConnections();
  receiver.close();
});

beforeEach(async () => {
  received = [];
  answer = (_request, response) => response.end('ok');
  await service.syncClock();
});

interface Delivery {
  id: string;
  event: string;
  status: string;
  attempts: number;
  dispatch_id: string | null;
}

async function send(to: string, webhook: { url?: string; secret?: string } = {}): Promise<string> {
  const json = { to, text: 'Selam', webhook: { url: receiverUrl, ...webhook } };
  const { status, body } = await service.api.call('POST', '/api/v1/messages', { key, json });
  expect(status).toBe(202);
  return body.id as string;
}

function deliveriesOf(messageId: string): Promise<Delivery[]> {
  return service.db.query(
    'select id, event, status, attempts, dispatch_id from webhook_deliveries where message_id = ? order by position',
    [messageId],
  );
}

/** Waits, in skipped time, until the events of a message are all told or dead. */
async function finishWebhooks(messageId: string, events: number): Promise<Delivery[]> {
  await until('the webhooks', async () => {
    const rows = await deliveriesOf(messageId);
    return rows.length === events && rows.some(({ dispatch_id }) => dispatch_id !== null);
  });
  return until(
    'the end of the webhooks',
    async () => {
      const dispatches = new Set(
        (await deliveriesOf(messageId)).flatMap(({ dispatch_id }) => dispatch_id ?? []),
      );
      // A workflow that is not there yet is met at the next look.
      for (const id of dispatches) await service.finish(`webhooks/${id}`).catch(() => undefined);
      const rows = await deliveriesOf(messageId);
      return rows.every(({ status }) => status === 'delivered' || status === 'dead') && rows;
    },
    60_000,
  );
}

/** Waits, in skipped time, until a delivery is told or dead again. */
async function finishDelivery(id: string): Promise<Delivery> {
  return until(
    'the end of the delivery',
    async () => {
      const [row] = await service.db.query<Delivery>(
        'select id, event, status, attempts, dispatch_id from webhook_deliveries where id = ?',
        [id],
      );
      if (row!.dispatch_id) await service.finish(`webhooks/${row!.dispatch_id}`).catch(() => undefined);
      return (row!.status === 'delivered' || row!.status === 'dead') && row;
    },
    60_000,
  );
}

async function attemptsOf(deliveryId: string) {
  return service.db.query<{
    number: number;
    started_at: string;
    response_status: number | null;
    response_body: string | null;
    error: string | null;
    duration_ms: number;
  }>('select * from webhook_attempts where delivery_id = ? order by number', [deliveryId]);
}

test('the events of a message arrive in order, one attempt each, in one dispatch when they come close together', async () => {
  const id = await send('0911234567');
  const rows = await finishWebhooks(id, 3);
  expect(received.map(({ event }) => event)).toEqual([
    'message.accepted',
    'message.sent',
    'message.delivered',
  ]);
  expect(rows.map(({ status, attempts }) => ({ status, attempts }))).toEqual(
    Array.from({ length: 3 }, () => ({ status: 'delivered', attempts: 1 })),
  );
  for (const one of received) expect(JSON.parse(one.body).id).toBe(one.delivery);
  await service.saveHistory(`webhooks/${rows[0]!.dispatch_id}`, 'deliver-webhooks-at-once');
});

test('a later event waits for the first attempt of the one before, and no longer', async () => {
  let acceptedEnded = false;
  answer = ({ event }, response) => {
    if (event !== 'message.accepted') {
      expect(acceptedEnded).toBe(true);
      response.end('ok');
      return;
    }
    // Held until the later events are stored: only then could they overtake.
    void until('the later events', async () => {
      const rows = await service.db.query(
        `select id from webhook_deliveries where event = 'message.delivered'`,
      );
      return rows.length > 0;
    }).then(() => {
      acceptedEnded = true;
      response.statusCode = received.filter((one) => one.event === 'message.accepted').length > 1 ? 200 : 500;
      response.end();
    });
  };
  await service.db.query(`delete from webhook_deliveries`);
  const id = await send('0911234567');
  const rows = await finishWebhooks(id, 3);
  expect(received.map(({ event }) => event)).toEqual([
    'message.accepted',
    'message.sent',
    'message.delivered',
    'message.accepted',
  ]);
  expect(rows.map(({ status }) => status)).toEqual(['delivered', 'delivered', 'delivered']);
});

test('a receiver that is down is tried on schedule, 8 times, and the event ends in the dead-letter queue', async () => {
  answer = (_request, response) => {
    response.statusCode = 500;
    response.end('x'.repeat(5000));
  };
  const id = await send('+251900000004');
  const [row] = await finishWebhooks(id, 1);
  expect(row).toMatchObject({ event: 'message.failed', status: 'dead', attempts: 8 });
  const attempts = await attemptsOf(row!.id);
  const gapsSeconds = attempts
    .slice(1)
    .map(
      ({ started_at }, index) => (Date.parse(started_at) - Date.parse(attempts[index]!.started_at)) / 1000,
    );
  const schedule = [5, 300, 1800, 7200, 18_000, 36_000, 36_000];
  expect(gapsSeconds).toHaveLength(schedule.length);
  gapsSeconds.forEach((gap, index) => {
    expect(gap).toBeGreaterThanOrEqual(schedule[index]!);
    expect(gap).toBeLessThanOrEqual(schedule[index]! * 1.1 + 2);
  });
  for (const attempt of attempts) {
    expect(attempt).toMatchObject({ response_status: 500, response_body: 'x'.repeat(1024), error: null });
  }
  expect(new Set(received.map(({ delivery, body }) => delivery + body)).size).toBe(1);
  await service.saveHistory(`webhooks/${row!.dispatch_id}`, 'deliver-webhooks-until-dead');
}, 60_000);

test('a receiver that is down for twenty hours gets its event when it is back, without being asked', async () => {
  const downUntil = (await service.env.currentTimeMs()) + 20 * 3_600_000;
  answer = (_request, response) => {
    void service.env.currentTimeMs().then((nowMs) => {
      response.statusCode = nowMs < downUntil ? 503 : 204;
      response.end();
    });
  };
  const [row] = await finishWebhooks(await send('+251900000005'), 1);
  expect(row).toMatchObject({ status: 'delivered' });
  expect(row!.attempts).toBeGreaterThan(5);
}, 60_000);

test('a receiver that is down for two days gets its event by a redrive: the same envelope, a fresh budget, another dispatch', async () => {
  let down = true;
  answer = (_request, response) => {
    response.statusCode = down ? 503 : 200;
    response.end();
  };
  const [dead] = await finishWebhooks(await send('+251900000004'), 1);
  expect(dead).toMatchObject({ status: 'dead', attempts: 8 });
  await service.env.sleep('2 days');
  await service.syncClock();

  // Still down: the fresh budget is a whole one, and it too ends.
  const redrive = () =>
    service.api.call('POST', `/api/v1/webhook-deliveries/${dead!.id}/redrive`, { key, json: {} });
  const redriven = await redrive();
  expect(redriven.body).toMatchObject({
    id: dead!.id,
    status: 'pending',
    attempts: 8,
    lastAttempt: { number: 8 },
  });
  const second = await finishDelivery(dead!.id);
  expect(second).toMatchObject({ status: 'dead', attempts: 16 });
  expect(second.dispatch_id).not.toBe(dead!.dispatch_id);
  const starts = (await attemptsOf(dead!.id)).map(({ started_at }) => Date.parse(started_at) / 1000);
  expect(starts).toHaveLength(16);
  expect(starts[8]! - starts[7]!).toBeGreaterThan(86_400);
  expect(starts[9]! - starts[8]!).toBeLessThan(10);
  expect(starts[15]! - starts[14]!).toBeGreaterThanOrEqual(36_000);

  down = false;
  await service.syncClock();
  expect((await redrive()).status).toBe(200);
  const third = await finishDelivery(dead!.id);
  expect(third).toMatchObject({ status: 'delivered', attempts: 17 });
  expect(new Set([dead, second, third].map((one) => one!.dispatch_id)).size).toBe(3);
  expect(received).toHaveLength(17);
  expect(new Set(received.map(({ delivery, body }) => delivery + body)).size).toBe(1);
  expect(received[0]!.delivery).toBe(dead!.id);
  expect(Number(received[16]!.timestamp)).toBeGreaterThanOrEqual(Number(received[0]!.timestamp));
  expect((await redrive()).body).toMatchObject({ code: 'invalid_state' });
}, 90_000);

test('the events of a message that are redriven together arrive in their order', async () => {
  answer = (_request, response) => {
    response.statusCode = 410;
    response.end();
  };
  const rows = await finishWebhooks(await send('0911234567'), 3);
  expect(rows.map(({ status }) => status)).toEqual(['dead', 'dead', 'dead']);
  received = [];
  answer = (_request, response) => response.end('ok');
  const [first, ...later] = rows.map(({ id }) => id) as [string, ...string[]];
  const redriven = await redriveDeadDeliveries(sqlOf(service.db.database), {
    ids: later.toReversed(),
    at: new Date(),
    environments: ['live'],
  });
  expect(redriven).toHaveLength(2);
  // The later ones wait for the first attempt of this one, and then join its dispatch.
  await service.api.call('POST', `/api/v1/webhook-deliveries/${first}/redrive`, { key });
  const ended = [];
  for (const { id } of rows) ended.push(await finishDelivery(id));
  expect(received.map(({ event }) => event)).toEqual([
    'message.accepted',
    'message.sent',
    'message.delivered',
  ]);
  expect(new Set(ended.map(({ dispatch_id }) => dispatch_id)).size).toBe(1);
});

test('410 ends a delivery at once', async () => {
  answer = (_request, response) => {
    response.statusCode = 410;
    response.end();
  };
  const [row] = await finishWebhooks(await send('+251900000004'), 1);
  expect(row).toMatchObject({ status: 'dead', attempts: 1 });
});

test('a redirect is not followed', async () => {
  answer = ({ path }, response) => {
    response.statusCode = path === '/hook' && received.length === 1 ? 302 : 200;
    response.setHeader('location', '/elsewhere');
    response.end();
  };
  const [row] = await finishWebhooks(await send('+251900000004'), 1);
  expect(row).toMatchObject({ status: 'delivered', attempts: 2 });
  expect(received.map(({ path }) => path)).toEqual(['/hook', '/hook']);
});

test('a connection that nobody takes is an attempt with its reason, and is tried again', async () => {
  const closed = createServer().listen(0, '127.0.0.1');
  await once(closed, 'listening');
  const url = `http://127.0.0.1:${(closed.address() as AddressInfo).port}/`;
  closed.close();
  const [row] = await finishWebhooks(await send('+251900000004', { url }), 1);
  expect(row).toMatchObject({ status: 'dead', attempts: 8 });
  expect((await attemptsOf(row!.id))[0]).toMatchObject({
    error: 'connection_refused',
    response_status: null,
  });
}, 60_000);

test('an address that is not public is refused at the connection, whatever was thought of the URL before', async () => {
  // The API of these tests lets localhost pass, the worker does not: as when a name changes its address in between.
  const id = await send('+251900000004', { url: receiverUrl.replace('127.0.0.1', 'localhost') });
  const [row] = await finishWebhooks(id, 1);
  expect(row).toMatchObject({ status: 'dead', attempts: 8 });
  expect((await attemptsOf(row!.id))[0]).toMatchObject({ error: 'address_not_public' });
  expect(received).toEqual([]);
}, 60_000);

test('without a secret there is no signature', async () => {
  await finishWebhooks(await send('+251900000004'), 1);
  expect(received[0]).toMatchObject({ signature: undefined, timestamp: expect.stringMatching(/^\d{10}$/) });
  received = [];
  await finishWebhooks(await send('+251900000004', { secret: 'sixteen-characters' }), 1);
  expect(received[0]!.signature).toMatch(/^sha256=[0-9a-f]{64}$/);
});
