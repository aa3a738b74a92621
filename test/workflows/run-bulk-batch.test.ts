import { pino } from 'pino';
import { v7 as uuidv7 } from 'uuid';
import { bulkBatchWorkflow } from '../../src/bulk-sms/bulk-batch-workflow.ts';
import { startOverdueRows, startRowWorkflow } from '../../src/dispatches/row-workflows.ts';
import { restartOverdueDispatches } from '../../src/dispatches/sweep.ts';
import { messageRows } from '../../src/messages/message-rows.ts';
import { taskQueues } from '../../workflows/contract.ts';
import { gatewayToken } from '../helpers/api.ts';
import { makeBatch, makeSetting, readBatch, type BulkSetting } from '../helpers/bulk.ts';
import { textOf } from '../helpers/history-text.ts';
import { startTestService, type TestService } from '../helpers/temporal-service.ts';
import { createTenant } from '../helpers/tenants.ts';
import { until } from '../helpers/until.ts';

let service: TestService;
/** Lets so many more activities of bulk batches fail, before they do anything or after they have done all. */
let failures: { before: number; after: number };
/** Where the worker that makes the next chunk dies. */
let diesAtStart: 'before' | 'after' | null = null;

/** A batch of which there is so much that so many activities only begin it. */
const endlessId = uuidv7();
const endless = { status: 'processing', total: 1e6, made: 0, nextAt: new Date(0).toISOString() } as const;
let endlessLooks = 510;

beforeAll(async () => {
  service = await startTestService({
    bulkRates: { platform: 2000, sender: 2000 },
    wrapActivities: (activities) => ({
      ...activities,
      advanceBulkBatch: async (input) => {
        if (input.batchId === endlessId && endlessLooks-- > 0) return endless;
        if (failures.before-- > 0) throw new Error('The worker died before.');
        const progress = await activities.advanceBulkBatch(input);
        if (failures.after-- > 0) throw new Error('The worker died after.');
        return progress;
      },
    }),
    wrapStartChunk: (start) => async (chunk) => {
      const dies = diesAtStart;
      diesAtStart = null;
      if (dies !== 'before') await start(chunk);
      if (dies !== null) throw new Error('The worker died.');
    },
  });
}, 60_000);

afterAll(() => service.stop());

beforeEach(async () => {
  failures = { before: 0, after: 0 };
  await service.gatewayLine.restore();
  await service.reportLine.restore();
  await service.syncClock();
});

const log = pino({ level: 'silent' });
const hourMs = 3_600_000;

async function makeSettingOf(contacts: number): Promise<BulkSetting> {
  const tenant = await createTenant(service.db.database);
  const key = await tenant.createKey({ environment: 'test' });
  return makeSetting(service.api, service.db, { organizationId: tenant.organizationId, key }, contacts);
}

const read = (setting: BulkSetting, id: string) => readBatch(service.api, setting, id);

const change = async (setting: BulkSetting, id: string, action: string, json: object = {}) => {
  const answer = await service.api.call('PATCH', `/api/v1/bulk-sms/${id}/${action}`, {
    key: setting.key,
    json,
  });
  expect({ action, status: answer.status }).toEqual({ action, status: 200 });
};

const workflowOf = (id: string) => service.env.client.workflow.getHandle(`bulk-sms/${id}`);

const ended = (id: string) =>
  until(
    'the end of the workflow',
    async () =>
      (
        await workflowOf(id)
          .describe()
          .catch(() => null)
      )?.status.name === 'COMPLETED',
    30_000,
  );

/** Waits until a batch and all its messages are at their end, looking at its ledger all the while. */
async function finish(setting: BulkSetting, id: string, status = 'completed') {
  await until(
    `the batch to be ${status}`,
    async () => {
      const batch = await read(setting, id);
      const { total, delivered, failed, cancelled } = batch.ledger;
      return batch.status === status && total === delivered + failed + cancelled;
    },
    40_000,
  );
  await ended(id);
  return read(setting, id);
}

async function submissionsOf(id: string): Promise<number[]> {
  const rows = await service.db.query<{ message_id: string }>(
    `select message_id from bulk_recipients where batch_id = ? and message_id is not null`,
    [id],
  );
  return rows.map(({ message_id }) => service.simulator.submissions(message_id));
}

interface ChunkDispatch {
  id: string;
  settled: boolean;
}

const dispatchesOf = (id: string) =>
  service.db.query<ChunkDispatch>(
    `select id, settled_at is not null as settled from dispatches
     where id in (select dispatch_id from messages where bulk_batch_id = ?) order by id`,
    [id],
  );

const messagesWorkflow = (dispatchId: string) =>
  service.env.client.workflow.getHandle(`messages/${dispatchId}`);

/** The states of the workflows that carry a batch's messages. */
async function workflowStatesOf(id: string): Promise<string[]> {
  const dispatches = await dispatchesOf(id);
  return Promise.all(
    dispatches.map(async (dispatch) => (await messagesWorkflow(dispatch.id).describe()).status.name),
  );
}

/** How often each message of a batch was attempted, and its status. */
const messagesOf = (id: string) =>
  service.db.query<{ id: string; status: string; attempts: number; error_code: string | null }>(
    `select id, status, attempts, error_code from messages where bulk_batch_id = ? order by id`,
    [id],
  );

/** Waits until the gateway has taken all messages of a batch. */
const accepted = (id: string, count: number) =>
  until(
    'the gateway to take the messages',
    async () => (await messagesOf(id)).filter(({ status }) => status === 'accepted').length === count,
    30_000,
  );

/** What the sweep of a worker does once a dispatch is overdue. */
async function sweepDispatches(): Promise<void> {
  await service.db.query(
    `update dispatches set wake_at = now() - interval '1 minute' where settled_at is null`,
  );
  const { database } = service.db;
  await restartOverdueDispatches({ database, workflowClient: service.env.client.workflow, log }, messageRows);
}

test('a batch is sent page by page to its end, by one workflow, and one for each chunk, which the reports end', async () => {
  const setting = await makeSettingOf(1200);
  const { id } = await makeBatch(service.api, setting);
  const batch = await finish(setting, id);
  expect(batch).toMatchObject({ status: 'completed', ledger: { total: 1200, delivered: 1200 } });
  expect(await submissionsOf(id)).toEqual(Array.from({ length: 1200 }, () => 1));
  const history = await workflowOf(id).fetchHistory();
  expect(history.events!.length).toBeLessThan(60);
  expect(textOf(history)).toContain(id);
  expect(textOf(history)).not.toMatch(/Selam|Name1|\+2519/);
  await service.saveHistory(`bulk-sms/${id}`, 'run-bulk-batch');
  const dispatches = await dispatchesOf(id);
  expect(dispatches.length).toBeGreaterThan(3);
  for (const dispatch of dispatches) await service.finish(`messages/${dispatch.id}`);
  expect(dispatches.every(({ settled }) => settled)).toBe(true);
  await service.saveHistory(`messages/${dispatches[0]!.id}`, 'send-messages-bulk-settled');
}, 60_000);

test('a batch whose reports never come: each message is carried by a workflow, which fails it after 72 hours', async () => {
  const setting = await makeSettingOf(600);
  await service.reportLine.cut();
  const { id } = await makeBatch(service.api, setting);
  await accepted(id, 600);
  const dispatches = await dispatchesOf(id);
  expect(dispatches.length).toBeGreaterThan(1);
  expect(new Set(await workflowStatesOf(id))).toEqual(new Set(['RUNNING']));
  const messages = await messagesOf(id);
  for (const message of [messages[0]!, messages[599]!]) {
    const path = `/api/v1/messages/${message.id}/timeline`;
    const { body } = await service.api.call('GET', path, { key: setting.key });
    expect(dispatches.map((dispatch) => `messages/${dispatch.id}`)).toContain(body.workflowId);
  }
  for (const dispatch of dispatches) await service.finish(`messages/${dispatch.id}`);
  const failed = await messagesOf(id);
  expect(new Set(failed.map(({ error_code }) => error_code))).toEqual(new Set(['dlr_timeout']));
  expect(new Set(failed.map(({ attempts }) => attempts))).toEqual(new Set([1]));
  expect(await read(setting, id)).toMatchObject({ status: 'completed', ledger: { total: 600, failed: 600 } });
  const history = await messagesWorkflow(dispatches[0]!.id).fetchHistory();
  const lanes = history.events!.flatMap(
    (event) => event.activityTaskScheduledEventAttributes?.taskQueue?.name ?? [],
  );
  expect(new Set(lanes)).toEqual(new Set([taskQueues.bulkMessages]));
  await service.saveHistory(`messages/${dispatches[0]!.id}`, 'send-messages-bulk-without-report');
}, 60_000);

test('a report that comes when its workflow sleeps ends the workflow, and no deadline is waited for', async () => {
  const setting = await makeSettingOf(1);
  await service.reportLine.cut();
  const { id } = await makeBatch(service.api, setting);
  await accepted(id, 1);
  const [message] = await messagesOf(id);
  await until('the workflow to sleep', async () => {
    await service.env.sleep('2 seconds');
    const { events } = await messagesWorkflow(message!.id).fetchHistory();
    return events!.some((event) => event.timerStartedEventAttributes);
  });
  const reportedAt = await service.env.currentTimeMs();
  const report = new URLSearchParams({ token: gatewayToken, messageId: message!.id, status: '1' });
  await service.api.call('GET', `/api/v1/gateway/dlr?${report.toString()}`);
  await until(
    'the end of the workflow',
    async () => (await messagesWorkflow(message!.id).describe()).status.name === 'COMPLETED',
  );
  expect((await service.env.currentTimeMs()) - reportedAt).toBeLessThan(hourMs);
}, 60_000);

test('cancelling ends the workflows of messages that were made and not taken', async () => {
  const setting = await makeSettingOf(30);
  await service.gatewayLine.cut();
  const { id } = await makeBatch(service.api, setting);
  await until('the messages to be tried', async () => {
    const messages = await messagesOf(id);
    return messages.length === 30 && messages.every(({ attempts }) => attempts > 0);
  });
  const cancelledAt = await service.env.currentTimeMs();
  const answer = await service.api.call('DELETE', `/api/v1/bulk-sms/${id}`, { key: setting.key });
  expect(answer.status).toBe(204);
  await until(
    'the ends of the workflows',
    async () => {
      await service.env.sleep('1 second');
      return (await workflowStatesOf(id)).every((status) => status === 'COMPLETED');
    },
    30_000,
  );
  expect((await dispatchesOf(id)).every(({ settled }) => settled)).toBe(true);
  expect((await service.env.currentTimeMs()) - cancelledAt).toBeLessThan(hourMs);
  expect(await read(setting, id)).toMatchObject({ ledger: { total: 30, cancelled: 30 } });
}, 60_000);

test('a chunk whose worker dies before it started the workflow is carried by one that the sweep starts', async () => {
  const setting = await makeSettingOf(20);
  diesAtStart = 'before';
  const { id } = await makeBatch(service.api, setting);
  const dispatch = await until('the chunk', async () => (await dispatchesOf(id))[0]);
  const workflowId = async () => {
    const [message] = await messagesOf(id);
    const path = `/api/v1/messages/${message!.id}/timeline`;
    return (await service.api.call('GET', path, { key: setting.key })).body.workflowId as string | null;
  };
  expect(await workflowId()).toBe(null);
  await expect(messagesWorkflow(dispatch.id).describe()).rejects.toThrow('not found');
  await sweepDispatches();
  expect(await workflowId()).toBe(`messages/${dispatch.id}`);
  expect(await finish(setting, id)).toMatchObject({ ledger: { total: 20, delivered: 20 } });
  expect(await submissionsOf(id)).toEqual(Array.from({ length: 20 }, () => 1));
  const [started] = (await messagesWorkflow(dispatch.id).fetchHistory()).events!;
  const [input] = started!.workflowExecutionStartedEventAttributes!.input!.payloads!;
  expect(JSON.parse(Buffer.from(input!.data!).toString())).toEqual({ dispatchId: dispatch.id, isBulk: true });
}, 60_000);

test('a chunk whose worker dies after it started the workflow is submitted by that workflow, without a sweep', async () => {
  const setting = await makeSettingOf(20);
  diesAtStart = 'after';
  const { id } = await makeBatch(service.api, setting);
  await until(
    'the messages to be submitted',
    async () => {
      await service.env.sleep('2 seconds');
      return (await messagesOf(id)).some(({ attempts }) => attempts > 0);
    },
    30_000,
  );
  expect(await finish(setting, id)).toMatchObject({ ledger: { total: 20, delivered: 20 } });
  expect(await submissionsOf(id)).toEqual(Array.from({ length: 20 }, () => 1));
}, 60_000);

test('a scheduled batch starts at its time', async () => {
  const setting = await makeSettingOf(3);
  const startsAt = (await service.env.currentTimeMs()) + 48 * hourMs;
  const { id } = await makeBatch(service.api, setting, { scheduledAt: new Date(startsAt).toISOString() });
  await until('the workflow that waits', async () => {
    const history = await workflowOf(id)
      .fetchHistory()
      .catch(() => null);
    return Boolean(history?.events?.at(-1)?.timerStartedEventAttributes);
  });
  await service.env.sleep(47 * hourMs);
  expect(await read(setting, id)).toMatchObject({ status: 'scheduled', ledger: { total: 0 } });
  await service.env.sleep(hourMs + 1000);
  await service.syncClock();
  const batch = await finish(setting, id);
  const lateMs = Date.parse(batch.startedAt) - startsAt;
  expect(lateMs).toBeGreaterThanOrEqual(0);
  expect(lateMs).toBeLessThan(5000);
  await service.saveHistory(`bulk-sms/${id}`, 'run-bulk-batch-scheduled');
}, 60_000);

test('starting a scheduled batch wakes its workflow at once', async () => {
  const setting = await makeSettingOf(3);
  const { id } = await makeBatch(service.api, setting, { scheduledAt: '2999-01-01T00:00:00Z' });
  await change(setting, id, 'start');
  expect(await finish(setting, id)).toMatchObject({ ledger: { delivered: 3 } });
}, 60_000);

test('pause ends the workflow, resume starts it again, and nobody gets two', async () => {
  const setting = await makeSettingOf(200);
  const { id } = await makeBatch(service.api, setting);
  await change(setting, id, 'rate', { ratePerSecond: 60 });
  await until('some to be sent', async () => (await read(setting, id)).ledger.delivered >= 10);
  await change(setting, id, 'pause');
  await ended(id);
  await service.saveHistory(`bulk-sms/${id}`, 'run-bulk-batch-paused');
  const { ledger } = await read(setting, id);
  expect(ledger.queued).toBeGreaterThan(0);
  await change(setting, id, 'rate', { ratePerSecond: null });
  await change(setting, id, 'resume');
  expect(await finish(setting, id)).toMatchObject({ ledger: { total: 200, delivered: 200 } });
  expect(await submissionsOf(id)).toEqual(Array.from({ length: 200 }, () => 1));
}, 60_000);

test('cancelling ends the workflow; the ledger tells of what was sent and what was not', async () => {
  const setting = await makeSettingOf(200);
  const { id } = await makeBatch(service.api, setting);
  await change(setting, id, 'rate', { ratePerSecond: 60 });
  await until('some to be sent', async () => (await read(setting, id)).ledger.delivered >= 10);
  const answer = await service.api.call('DELETE', `/api/v1/bulk-sms/${id}`, { key: setting.key });
  expect(answer.status).toBe(204);
  const { ledger } = await finish(setting, id, 'cancelled');
  expect(ledger.delivered).toBeGreaterThanOrEqual(10);
  expect(ledger.delivered + ledger.cancelled).toBe(200);
  await service.saveHistory(`bulk-sms/${id}`, 'run-bulk-batch-cancelled');
}, 60_000);

test('activities that fail before and after their work are repeated, and nobody gets two', async () => {
  const setting = await makeSettingOf(1000);
  failures = { before: 2, after: 3 };
  const { id } = await makeBatch(service.api, setting);
  expect(await finish(setting, id)).toMatchObject({ ledger: { total: 1000, delivered: 1000 } });
  expect(await submissionsOf(id)).toEqual(Array.from({ length: 1000 }, () => 1));
}, 60_000);

test('the sweep starts a batch whose start was lost, and leaves one alone that waits', async () => {
  const setting = await makeSettingOf(3);
  const { id } = await makeBatch(service.api, setting, { scheduledAt: '2999-01-01T00:00:00Z' });
  await until('the workflow', () =>
    workflowOf(id)
      .describe()
      .then(
        () => true,
        () => false,
      ),
  );
  await workflowOf(id).terminate('lost');
  const sweep = async (now: Date) =>
    startOverdueRows(
      { database: service.db.database, workflowClient: service.env.client.workflow, log },
      bulkBatchWorkflow,
      now,
    );
  const now = new Date(await service.env.currentTimeMs());
  await sweep(now);
  expect((await workflowOf(id).describe()).status.name).toBe('TERMINATED');
  await service.db.query(`update bulk_batches set status = 'pending', wake_at = ? where id = ?`, [now, id]);
  await sweep(new Date(now.getTime() + 11_000));
  expect(await finish(setting, id)).toMatchObject({ ledger: { delivered: 3 } });
}, 60_000);

test('messages that the gateway could not take wait for it, and the batch is completed once they are taken', async () => {
  const setting = await makeSettingOf(30);
  await service.gatewayLine.cut();
  const { id } = await makeBatch(service.api, setting);
  await until('the messages to be made', async () => {
    const rows = await service.db.query(`select from messages where bulk_batch_id = ? and attempts > 0`, [
      id,
    ]);
    return rows.length === 30;
  });
  expect(await read(setting, id)).toMatchObject({ status: 'processing', ledger: { queued: 30 } });
  await service.gatewayLine.restore();
  await until(
    'the batch to be completed',
    async () => {
      await service.env.sleep('3 seconds');
      return (await read(setting, id)).status === 'completed';
    },
    90_000,
  );
  expect(await finish(setting, id)).toMatchObject({ ledger: { total: 30, delivered: 30 } });
}, 120_000);

test('a batch of many pages goes on as a new run, so that no history comes near 5,000 events', async () => {
  const { workflow } = service.env.client;
  await startRowWorkflow(workflow, bulkBatchWorkflow, { id: endlessId, organizationId: uuidv7() });
  const { runId } = await workflowOf(endlessId).describe();
  // Of a batch that does not exist the activity says that nothing is to be done.
  await ended(endlessId);
  expect(endlessLooks).toBeLessThan(0);
  const first = await workflow.getHandle(`bulk-sms/${endlessId}`, runId).describe();
  expect(first.status.name).toBe('CONTINUED_AS_NEW');
  expect(first.historyLength).toBeLessThan(5000);
  expect((await workflowOf(endlessId).describe()).historyLength).toBeLessThan(200);
}, 60_000);
