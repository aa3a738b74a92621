import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Worker } from '@temporalio/worker';
import { Client } from 'pg';
import { pino } from 'pino';
import type { Activities } from '../../activities/index.ts';
import { startOverdueRows } from '../../src/dispatches/row-workflows.ts';
import { redriveWorkflow } from '../../src/redrives/redrive-workflow.ts';
import { redriveWorkflowIdOf, taskQueues } from '../../workflows/contract.ts';
import { startTestApi, type Answer } from '../helpers/api.ts';
import { storeFailedMessages } from '../helpers/failed-messages.ts';
import { textOf } from '../helpers/history-text.ts';
import { makeAdministrator, signUp, type Person } from '../helpers/people.ts';
import { startTestService, type TestService } from '../helpers/temporal-service.ts';
import { createTenant, type Tenant } from '../helpers/tenants.ts';
import { until } from '../helpers/until.ts';

let service: TestService;
let administrator: Person;
let tenant: Tenant;
const cleanUps: (() => Promise<void>)[] = [];
let lane: { stop: () => Promise<void> };

beforeAll(async () => {
  service = await startTestService({ without: ['redrives'] });
}, 60_000);

beforeEach(async () => {
  await service.syncClock();
  // For each test, for time is skipped and sessions end.
  administrator = await signUp(service.api);
  await makeAdministrator(service.db, administrator);
  tenant = await createTenant(service.db.database);
  lane = await startLane();
});

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
  await lane.stop();
});

afterAll(() => service.stop());

/** A worker for the lane of redrives that can be stopped and started again, as a process is. */
async function startLane(redrivePage: Activities['redrivePage'] = service.activities.redrivePage) {
  const worker = await Worker.create({
    connection: service.env.nativeConnection,
    namespace: 'default',
    taskQueue: taskQueues.redrives,
    activities: { ...service.activities, redrivePage },
  });
  const running = worker.run();
  let stopped = false;
  return {
    stop: async () => {
      if (!stopped) worker.shutdown();
      stopped = true;
      await running;
    },
  };
}

async function request(
  api: TestService['api'] = service.api,
  kind: 'messages' | 'webhook-deliveries' = 'messages',
): Promise<string> {
  // A redrive takes what is older than itself, so its clock must not be behind that of what it is to find.
  await service.syncClock();
  const nowMs = await service.env.currentTimeMs();
  const json = {
    from: new Date(nowMs - 3_600_000).toISOString(),
    to: new Date(nowMs + 3_600_000).toISOString(),
    organizationId: tenant.organizationId,
  };
  const { status, body } = await api.call('POST', `/api/v1/admin/${kind}/redrive`, {
    session: administrator.token,
    json,
  });
  expect(status).toBe(202);
  return body.id as string;
}

/** Keeps a message to itself, so that a page that gets to it waits; its end is that of the test at the latest. */
async function holdMessage(id: string): Promise<{ release: () => Promise<void> }> {
  const client = new Client({ connectionString: service.db.url });
  client.on('error', () => undefined);
  await client.connect();
  await client.query('begin');
  await client.query('select from messages where id = $1 for update', [id]);
  let released: Promise<void> | undefined;
  const release = () => (released ??= client.end());
  cleanUps.push(release);
  return { release };
}

const read = async (id: string): Promise<Answer['body']> =>
  (await administrator.call('GET', `/api/v1/admin/redrives/${id}`)).body;

/** Waits for a redrive and its workflow to end, in small steps of skipped time: longer ones would end sessions. */
async function finish(id: string): Promise<Answer['body']> {
  const handle = service.env.client.workflow.getHandle(redriveWorkflowIdOf(id));
  await until(
    'the end of the redrive',
    async () => {
      if ((await read(id)).endedAt !== null && (await handle.describe()).status.name === 'COMPLETED')
        return true;
      // A retry waits by the skipped clock.
      await service.env.sleep('1 second');
      return false;
    },
    30_000,
  );
  return read(id);
}

async function store(count: number): Promise<string[]> {
  const createdAt = new Date((await service.env.currentTimeMs()) - 60_000);
  return storeFailedMessages(service.db, tenant, { count, createdAt });
}

/** By old message, the messages that send it once more. */
async function copies(): Promise<{ id: string; status: string; redriven_from: string }[]> {
  return service.db.query(
    'select id, status, redriven_from from messages where organization_id = ? and redriven_from is not null',
    [tenant.organizationId],
  );
}

test('a thousand failed messages become exactly a thousand new ones, though every second page’s answer is lost and workers come and go', async () => {
  const ids = await store(1000);
  await lane.stop();
  const calls = { made: 0, lost: 0 };
  const losesAnswers: Activities['redrivePage'] = async (input) => {
    const progress = await service.activities.redrivePage(input);
    calls.made += 1;
    // Every second call dies after its commit, before anyone is told.
    if (calls.made % 2 === 1) {
      calls.lost += 1;
      throw new Error('The process died after the commit.');
    }
    return progress;
  };
  lane = await startLane(losesAnswers);
  const id = await request();
  await until('the first lost answer', () => calls.lost > 0);
  await lane.stop();
  expect((await read(id)).status).toBe('running');
  lane = await startLane(losesAnswers);
  expect(await finish(id)).toMatchObject({
    ...{ status: 'completed', matched: 1000, redriven: 1000, skipped: {} },
  });
  expect(calls.lost).toBeGreaterThan(1);

  const made = await copies();
  expect(made).toHaveLength(1000);
  expect(made.map((copy) => copy.redriven_from).sort()).toEqual(ids.toSorted());
  const [events] = await service.db.query<{ redriven: number; redrive_of: number }>(
    `select count(*) filter (where kind = 'redriven')::int as redriven,
        count(*) filter (where kind = 'redrive_of')::int as redrive_of
      from message_events where organization_id = ?`,
    [tenant.organizationId],
  );
  expect(events).toEqual({ redriven: 1000, redrive_of: 1000 });
  await until(
    'all to be delivered',
    async () => {
      const delivered = (await copies()).filter(({ status }) => status === 'delivered').length;
      if (delivered < 1000) await service.env.sleep('1 second');
      return delivered === 1000;
    },
    60_000,
  );
  for (const copy of made.slice(0, 20)) expect(service.simulator.submissions(copy.id)).toBe(1);
  for (const old of ids.slice(0, 20)) expect(service.simulator.submissions(old)).toBe(0);
}, 120_000);

test('a redrive is one workflow of its own id, and its history holds ids and counts only', async () => {
  await store(250);
  const id = await request();
  expect(await finish(id)).toMatchObject({ status: 'completed', redriven: 250 });
  const handle = service.env.client.workflow.getHandle(redriveWorkflowIdOf(id));
  expect(await handle.describe()).toMatchObject({ type: 'redriveByFilter', status: { name: 'COMPLETED' } });
  const history = textOf(await handle.fetchHistory());
  expect(history).toContain('"matched":200');
  for (const personal of ['+251911234567', 'Selam', tenant.sender]) expect(history).not.toContain(personal);
  await service.saveHistory(redriveWorkflowIdOf(id), 'redrive-by-filter');
});

test('two redrives of the same filter at once send each message once', async () => {
  const ids = await store(600);
  const both = await Promise.all([request(), request()]);
  const [one, other] = [await finish(both[0]), await finish(both[1])];
  expect(one.redriven + other.redriven).toBe(600);
  for (const { matched, redriven, skipped } of [one, other]) {
    expect(redriven + (skipped.already_redriven ?? 0)).toBe(matched);
    expect(matched).toBe(600);
  }
  expect((await copies()).map((copy) => copy.redriven_from).sort()).toEqual(ids.toSorted());
});

test('a redrive that is cancelled in the middle of a page stops after it, and its workflow ends', async () => {
  const ids = await store(1000);
  const held = await holdMessage(ids[450]!);
  const waiting = (query: string) => async () => {
    const rows = await service.db.query(
      `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
        and query ilike ? and pid <> pg_backend_pid()`,
      [query],
    );
    return rows.length > 0;
  };
  const id = await request();
  await until('the third page to wait', waiting('%looked_at%'));
  expect(await read(id)).toMatchObject({ status: 'running', redriven: 400 });
  const cancelled = administrator.call('POST', `/api/v1/admin/redrives/${id}/cancel`);
  await until('the cancellation to wait', waiting('%redrives%for update%'));
  await held.release();

  expect(await cancelled).toMatchObject({ status: 200, body: { status: 'cancelled', redriven: 600 } });
  expect(await finish(id)).toMatchObject({ status: 'cancelled', matched: 600, redriven: 600 });
  expect((await copies()).map((copy) => copy.redriven_from).sort()).toEqual(ids.slice(0, 600).sort());
  // What is left can be redriven by another.
  expect(await finish(await request())).toMatchObject({ redriven: 400, skipped: { already_redriven: 600 } });
  await service.saveHistory(redriveWorkflowIdOf(id), 'redrive-by-filter-cancelled');
}, 30_000);

test('a redrive that PostgreSQL refuses permanently ends as failed, and its workflow with it', async () => {
  const ids = await store(250);
  await service.db.query(`create function refuse_row() returns trigger language plpgsql as $$
    begin raise exception 'refused' using errcode = '23514'; end $$`);
  cleanUps.push(async () => void (await service.db.query('drop function refuse_row cascade')));
  await service.db.query(`create trigger refuse_row before insert on messages for each row
    when (new.redriven_from = '${ids[220]}') execute function refuse_row()`);
  const id = await request();
  expect(await finish(id)).toMatchObject({
    ...{ status: 'failed', failure: { code: 'processing_failed' }, matched: 200, redriven: 200 },
  });
  expect((await copies()).map((copy) => copy.redriven_from).sort()).toEqual(ids.slice(0, 200).sort());
  await service.saveHistory(redriveWorkflowIdOf(id), 'redrive-by-filter-failed');
}, 30_000);

test('a redrive that was asked for while Temporal was down is started by the sweep, once', async () => {
  const offline = await startTestApi({ database: service.db.database });
  const ids = await store(3);
  const id = await request(offline);
  await offline.stop();
  expect(await read(id)).toMatchObject({ status: 'pending', redriven: 0 });
  const dependencies = {
    database: service.db.database,
    workflowClient: service.env.client.workflow,
    log: pino({ level: 'silent' }),
  };
  await until('the sweep to start it', async () => {
    await Promise.all([
      startOverdueRows(dependencies, redriveWorkflow),
      startOverdueRows(dependencies, redriveWorkflow),
    ]);
    return (await read(id)).endedAt !== null;
  });
  expect(await finish(id)).toMatchObject({ status: 'completed', matched: 3, redriven: 3 });
  expect((await copies()).map((copy) => copy.redriven_from).sort()).toEqual(ids.toSorted());

  // Temporal lost its database, and all that Postgres knows is that the redrive ended: it is left alone.
  await startOverdueRows(dependencies, redriveWorkflow);
  const { runId } = await service.env.client.workflow.getHandle(redriveWorkflowIdOf(id)).describe();
  await startOverdueRows(dependencies, redriveWorkflow);
  const again = await service.env.client.workflow.getHandle(redriveWorkflowIdOf(id)).describe();
  expect(again.runId).toBe(runId);
});

test('a redrive whose workflow was lost goes on where it was', async () => {
  const ids = await store(500);
  await lane.stop();
  let pages = 0;
  lane = await startLane(async (input) => {
    pages += 1;
    if (pages > 1) throw new Error('Temporal is to be lost now.');
    return service.activities.redrivePage(input);
  });
  const id = await request();
  await until('the first page', () => pages > 1);
  await service.env.client.workflow.getHandle(redriveWorkflowIdOf(id)).terminate();
  await lane.stop();
  lane = await startLane();
  expect(await read(id)).toMatchObject({ status: 'running', redriven: 200 });
  await service.db.query(`update redrives set wake_at = now() - interval '1 second' where id = ?`, [id]);
  await startOverdueRows(
    {
      database: service.db.database,
      workflowClient: service.env.client.workflow,
      log: pino({ level: 'silent' }),
    },
    redriveWorkflow,
  );
  expect(await finish(id)).toMatchObject({ status: 'completed', matched: 500, redriven: 500, skipped: {} });
  expect((await copies()).map((copy) => copy.redriven_from).sort()).toEqual(ids.toSorted());
});

test('dead deliveries of a receiver that was away arrive after their redrive, each envelope once', async () => {
  let away = true;
  const taken: string[] = [];
  const receiver = createServer((incoming, outgoing) => {
    if (!away) taken.push(String(incoming.headers['x-service-delivery']));
    outgoing.statusCode = away ? 410 : 200;
    incoming.resume().on('end', () => outgoing.end());
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  cleanUps.push(async () => {
    receiver.closeAllConnections();
    receiver.close();
    await once(receiver, 'close');
  });
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  const key = await tenant.createKey();
  // Refused by the gateway: one event each, message.failed.
  const json = { to: '+251900000004', text: 'Selam', webhook: { url } };
  const sent = Array.from({ length: 20 }, () => service.api.call('POST', '/api/v1/messages', { key, json }));
  for (const { status } of await Promise.all(sent)) expect(status).toBe(202);
  const inStatus = async (wanted: string) => {
    const rows = await service.db.query<{ id: string }>(
      'select id from webhook_deliveries where organization_id = ? and status = ?',
      [tenant.organizationId, wanted],
    );
    if (rows.length < 20) await service.env.sleep('1 second');
    return rows.length === 20 && rows.map(({ id }) => id);
  };
  const dead = await until('all to be dead', () => inStatus('dead'));

  away = false;
  const done = await finish(await request(service.api, 'webhook-deliveries'));
  expect(done).toMatchObject({ kind: 'webhook_deliveries', matched: 20, redriven: 20, skipped: {} });
  await until('all to be delivered', () => inStatus('delivered'));
  expect(taken.toSorted()).toEqual(dead.toSorted());
}, 30_000);
