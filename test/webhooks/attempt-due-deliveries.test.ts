import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Dispatcher } from 'undici';
import { v7 as uuidv7 } from 'uuid';
import { sqlOf } from '../../src/database.ts';
import { assignRows } from '../../src/dispatches/assign-rows.ts';
import { createSecretSealer } from '../../src/messages/sealer.ts';
import { createWebhookAgent } from '../../src/webhooks/attempts/attempt-delivery.ts';
import { createAttemptDueDeliveries } from '../../src/webhooks/attempts/attempt-due-deliveries.ts';
import { deliveryRows } from '../../src/webhooks/delivery-rows.ts';
import { recordAttempts } from '../../src/webhooks/attempts/record-attempts.ts';
import { redriveDeadDeliveries } from '../../src/webhooks/redrive-deliveries.ts';
import { createRequestSlots } from '../../src/webhooks/attempts/request-slots.ts';
import { securityCodePepper } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { createTenant, type Tenant } from '../helpers/tenants.ts';
import { until } from '../helpers/until.ts';
import { makeWebhookDispatch } from '../helpers/webhook-dispatch.ts';

let db: TestDatabase;
let tenant: Tenant;
let agent: Dispatcher;
const receivers: Receiver[] = [];

beforeAll(async () => {
  db = await createTestDatabase();
  tenant = await createTenant(db.database);
  agent = createWebhookAgent(['127.0.0.1']);
});

afterEach(() => receivers.splice(0).forEach((receiver) => receiver.stop()));

afterAll(async () => {
  await agent.destroy();
  await db.drop();
});

interface Receiver {
  url: string;
  /** Requests that wait for their answer. */
  held: ServerResponse[];
  requests: number;
  mostAtOnce: number;
  /** Answers all that wait, and from now on at once. */
  release: () => void;
  stop: () => void;
}

/** A receiver that answers as told, or holds its requests until it is released. */
async function startReceiver(answer?: (response: ServerResponse) => void): Promise<Receiver> {
  let open = answer !== undefined;
  const server = createServer((request, response) => {
    request.resume();
    receiver.requests += 1;
    if (open) return (answer ?? ((one) => one.end('ok')))(response);
    receiver.held.push(response);
    receiver.mostAtOnce = Math.max(receiver.mostAtOnce, receiver.held.length);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    held: [],
    requests: 0,
    mostAtOnce: 0,
    release: () => {
      open = true;
      receiver.held.splice(0).forEach((response) => response.end('ok'));
    },
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
  receivers.push(receiver);
  return receiver;
}

const makeDispatch = (urls: string[]) => makeWebhookDispatch(db, tenant.organizationId, urls);

const context = { heartbeat: () => undefined, stopping: () => false };

/** A worker process of its own: its places are nobody else's. */
function startProcess(options: { total?: number; perHost?: number; now?: () => Date } = {}) {
  const { total = 512, perHost = 8, now = () => new Date() } = options;
  const places = createRequestSlots({ total, perHost });
  const attemptDue = createAttemptDueDeliveries({
    outcomeGathering: { fromItems: 4, waitMs: 0 },
    ...{ database: db.database, webhookAgent: agent, webhookSlots: places, now },
    secretSealer: createSecretSealer({ pepper: securityCodePepper }),
  });
  return (dispatchId: string) => attemptDue(dispatchId, context);
}

/** Does what the workflow does: attempts what is due until nothing is open. */
async function carry(attemptDue: ReturnType<typeof startProcess>, dispatchId: string): Promise<void> {
  for (;;) {
    const { nextDueAt } = await attemptDue(dispatchId);
    if (nextDueAt === null) return;
    await new Promise((resolve) => setTimeout(resolve, Math.max(1, Date.parse(nextDueAt) - Date.now())));
  }
}

async function dispatchSources(ids: string[]) {
  return db.query<{ id: string; status: string; attempts: number; attempted: number; due_at: string | null }>(
    `select id, status, attempts, due_at,
      (select count(*)::int from webhook_attempts where delivery_id = delivery.id) as attempted
      from webhook_deliveries delivery where id = any(?) order by id`,
    [`{${ids.join(',')}}`],
  );
}

describe('a host that does not answer', () => {
  test('with 64 deliveries has 8 requests at a time, and the others of its dispatch do not wait for it', async () => {
    const [slow, fast] = [await startReceiver(), await startReceiver((response) => response.end())];
    const { dispatchId, ids } = await makeDispatch([...Array.from({ length: 64 }, () => slow.url), fast.url]);
    const carried = carry(startProcess(), dispatchId);
    // The slow ones are all still held when the fast one is told.
    await until('the fast receiver', () => fast.requests === 1, 3_000);
    await until('the places of the slow host', () => slow.held.length === 8, 3_000);
    const waiting = (await dispatchSources(ids)).filter(({ status }) => status === 'pending');
    expect(waiting).toHaveLength(64);
    // An attempt that was not made is not counted.
    expect(
      waiting.map(({ attempts, attempted }) => attempts + attempted).filter((sum) => sum > 0),
    ).toHaveLength(8);
    slow.release();
    await carried;
    expect(slow.mostAtOnce).toBe(8);
    expect(slow.requests).toBe(64);
    expect(await dispatchSources(ids)).toEqual(
      ids.toSorted().map((id) => ({ id, status: 'delivered', attempts: 1, attempted: 1, due_at: null })),
    );
  });

  test('has 8 requests at a time over all dispatches, and holds up none of them that have no place', async () => {
    const [slow, fast] = [await startReceiver(), await startReceiver((response) => response.end())];
    const attemptDue = startProcess();
    const first = await makeDispatch(Array.from({ length: 8 }, () => slow.url));
    const carried = [carry(attemptDue, first.dispatchId)];
    await until('the places of the slow host', () => slow.held.length === 8);
    const others = await Promise.all(Array.from({ length: 20 }, () => makeDispatch([slow.url])));
    // They come back at once, to be looked at again: no activity waits for a place.
    const progress = await Promise.all(others.map(({ dispatchId }) => attemptDue(dispatchId)));
    for (const { nextDueAt, counts } of progress) {
      expect(counts).toEqual({ pending: 1 });
      expect(Date.parse(nextDueAt!)).toBeGreaterThan(Date.now() - 5_000);
      expect(Date.parse(nextDueAt!)).toBeLessThan(Date.now() + 61_000);
    }
    const { dispatchId } = await makeDispatch([fast.url]);
    expect(await attemptDue(dispatchId)).toMatchObject({ nextDueAt: null, counts: { delivered: 1 } });
    expect(slow.held).toHaveLength(8);
    slow.release();
    await Promise.all([...carried, ...others.map((one) => carry(attemptDue, one.dispatchId))]);
    expect({ requests: slow.requests, mostAtOnce: slow.mostAtOnce }).toEqual({ requests: 28, mostAtOnce: 8 });
  }, 60_000);

  test('and a hundred others like it leave room for one that does', async () => {
    const slow = await Promise.all(Array.from({ length: 100 }, () => startReceiver()));
    const fast = await startReceiver((response) => response.end());
    const { dispatchId, ids } = await makeDispatch([...slow.map(({ url }) => url), fast.url]);
    const carried = carry(startProcess(), dispatchId);
    await until('the fast receiver', () => fast.requests === 1, 5_000);
    await until('all requests', () => slow.every(({ held }) => held.length === 1), 5_000);
    const delivered = async () => (await dispatchSources(ids)).filter(({ status }) => status === 'delivered');
    await until('the outcome of the fast one', async () => (await delivered()).length > 0);
    expect(await delivered()).toHaveLength(1);
    slow.forEach((one) => one.release());
    await carried;
  });

  test('takes half of all places at most when its organization has a hundred names for it', async () => {
    const slow = await Promise.all(Array.from({ length: 10 }, () => startReceiver()));
    const attemptDue = startProcess({ total: 10 });
    const theirs = await makeDispatch(slow.map(({ url }) => url));
    const carried = carry(attemptDue, theirs.dispatchId);
    await until('half of the places', () => slow.filter(({ held }) => held.length > 0).length === 5);
    const own = tenant;
    tenant = await createTenant(db.database);
    const fast = await startReceiver((response) => response.end());
    const { dispatchId } = await makeDispatch([fast.url]);
    tenant = own;
    expect(await attemptDue(dispatchId)).toMatchObject({ counts: { delivered: 1 } });
    slow.forEach((one) => one.release());
    await carried;
  });
});

test('two activities on one dispatch, as after a lost heartbeat, make each attempt once', async () => {
  const receiver = await startReceiver((response) => response.end());
  const { dispatchId, ids } = await makeDispatch(Array.from({ length: 40 }, () => receiver.url));
  const [one, other] = [startProcess(), startProcess()];
  await Promise.all([one(dispatchId), other(dispatchId)]);
  await carry(one, dispatchId);
  expect(receiver.requests).toBe(40);
  expect(
    (await dispatchSources(ids)).every(({ status, attempts }) => status === 'delivered' && attempts === 1),
  ).toBe(true);
});

test.each<[string, number, Record<string, string>, { status: string; seconds: number | null }]>([
  ['nothing to say', 500, {}, { status: 'retrying', seconds: 5 }],
  ['a minute asked for', 503, { 'retry-after': '60' }, { status: 'retrying', seconds: 60 }],
  [
    'a minute asked for, by a date',
    429,
    { 'retry-after': new Date(1_900_000_060_000).toUTCString() },
    { status: 'retrying', seconds: 60 },
  ],
  ['less than is due anyway', 503, { 'retry-after': '1' }, { status: 'retrying', seconds: 5 }],
  [
    'a day asked for, of which the next interval is given',
    503,
    { 'retry-after': '86400' },
    { status: 'retrying', seconds: 300 },
  ],
  ['nonsense', 503, { 'retry-after': 'tomorrow, -5' }, { status: 'retrying', seconds: 5 }],
  ['a redirect', 301, { location: '/' }, { status: 'retrying', seconds: 5 }],
  ['410', 410, { 'retry-after': '60' }, { status: 'dead', seconds: null }],
])('an answer with %s', async (_name, status, headers, expected) => {
  const now = () => new Date(1_900_000_000_000);
  const receiver = await startReceiver((response) => response.writeHead(status, headers).end());
  const { dispatchId, ids } = await makeDispatch([receiver.url]);
  await startProcess({ now })(dispatchId);
  const [row] = await dispatchSources(ids);
  expect(row).toMatchObject({ status: expected.status, attempts: 1 });
  if (expected.seconds === null) {
    expect(row!.due_at).toBeNull();
    return;
  }
  const seconds = (Date.parse(row!.due_at!) - now().getTime()) / 1000;
  expect(seconds).toBeGreaterThanOrEqual(expected.seconds);
  expect(seconds).toBeLessThanOrEqual(expected.seconds * 1.1);
});

test('the eighth failure is the last, and after a redrive the eighth after it', async () => {
  let at = Date.now();
  const now = () => new Date(at);
  const receiver = await startReceiver((response) => response.writeHead(500).end());
  const { dispatchId, ids } = await makeDispatch([receiver.url]);
  const attemptUntilDead = async (id: string): Promise<void> => {
    const attemptDue = startProcess({ now });
    for (;;) {
      const { nextDueAt } = await attemptDue(id);
      if (nextDueAt === null) return;
      at = Math.max(at, Date.parse(nextDueAt));
    }
  };
  await attemptUntilDead(dispatchId);
  expect(await dispatchSources(ids)).toMatchObject([
    { status: 'dead', attempts: 8, attempted: 8, due_at: null },
  ]);
  await redriveDeadDeliveries(sqlOf(db.database), { ids, at: now(), environments: ['live'] });
  const again = await assignRows(sqlOf(db.database), deliveryRows, ids);
  await attemptUntilDead(again!.dispatchId);
  expect(await dispatchSources(ids)).toMatchObject([
    { status: 'dead', attempts: 16, attempted: 16, due_at: null },
  ]);
  expect(receiver.requests).toBe(16);
});

test.each([
  ['failure is not one of the new budget', 'dead', 'pending'],
  ['success counts', 'delivered', 'delivered'],
] as const)(
  'of an attempt from before a redrive that ends after it, the %s',
  async (_name, outcome, status) => {
    const { dispatchId, ids } = await makeDispatch(['https://example.com/']);
    const [deliveryId] = ids as [string];
    await db.query(`update webhook_deliveries set status = 'dead', attempts = 8 where id = ?`, [deliveryId]);
    await redriveDeadDeliveries(sqlOf(db.database), { ids, at: new Date(), environments: ['live'] });
    await recordAttempts(sqlOf(db.database), [
      {
        ...{ deliveryId, messageId: uuidv7(), dispatchId, attempt: 8, finishedAt: new Date(), durationMs: 1 },
        ...{ responseStatus: null, responseBody: null, error: 'timeout', status: outcome, dueAt: null },
      },
    ]);
    expect(await dispatchSources(ids)).toMatchObject([{ status, attempts: 8 }]);
  },
);

test('an outcome that cannot be written holds up none of those that are written with it', async () => {
  const receiver = await startReceiver();
  const { dispatchId, ids } = await makeDispatch(Array.from({ length: 6 }, () => receiver.url));
  await db.query(`create function refuse_outcome() returns trigger language plpgsql as $$
    begin raise exception 'refused' using errcode = '22P05'; end $$`);
  await db.query(`create trigger refuse_outcome before update on webhook_deliveries for each row
    when (new.id = '${ids[0]!}' and new.status = 'delivered') execute function refuse_outcome()`);
  const attempted = startProcess()(dispatchId);
  await until('all requests', () => Promise.resolve(receiver.held.length === ids.length));
  receiver.release();
  await expect(attempted).rejects.toMatchObject({ code: '22P05' });
  const delivered = (await dispatchSources(ids)).filter(({ status }) => status === 'delivered');
  expect(delivered.map(({ id }) => id)).toEqual(ids.slice(1).toSorted());
  await db.query('drop function refuse_outcome cascade');
});
