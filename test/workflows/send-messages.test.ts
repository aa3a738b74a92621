import { defaultPayloadConverter } from '@temporalio/common';
import { pino } from 'pino';
import { unseenSeconds } from '../../src/dispatches/dispatch-progress.ts';
import { restartOverdueDispatches } from '../../src/dispatches/sweep.ts';
import { messageRows } from '../../src/messages/message-rows.ts';
import { until } from '../helpers/until.ts';
import { startTestService, type TestService } from '../helpers/temporal-service.ts';
import { createTenant } from '../helpers/tenants.ts';

let service: TestService;
let key: string;

beforeAll(async () => {
  service = await startTestService();
  key = await (await createTenant(service.db.database)).createKey();
}, 60_000);

afterAll(() => service.stop());

beforeEach(() => service.syncClock());

const hourMs = 3_600_000;

const log = pino({ level: 'silent' });

async function send(to: string): Promise<string> {
  const answer = await service.api.call('POST', '/api/v1/messages', { key, json: { to, text: 'Selam' } });
  expect(answer.status).toBe(202);
  const id = answer.body.id as string;
  // The start follows the answer; only a workflow that exists can be waited for.
  await until('the dispatch', async () => (await dispatchOf(id)) ?? false);
  return id;
}

async function dispatchOf(id: string): Promise<string | null> {
  const [row] = await service.db.query<{ dispatch_id: string | null }>(
    'select dispatch_id from messages where id = ?',
    [id],
  );
  return row!.dispatch_id;
}

async function workflowOf(id: string): Promise<string> {
  const workflowId = `messages/${await dispatchOf(id)}`;
  await until('the workflow', () =>
    service.env.client.workflow
      .getHandle(workflowId)
      .describe()
      .then(
        () => true,
        () => false,
      ),
  );
  return workflowId;
}

/** Waits until the message is final, skipping time in steps so small that reports, which come in real time, do not come late. */
async function finish(id: string) {
  const workflowId = await workflowOf(id);
  await end(id);
  await service.finish(workflowId);
  return read(id);
}

/** The same, and leaves the workflow to itself: time that is let go would be that of other messages too. */
async function end(id: string): Promise<void> {
  await until(
    'the end of the message',
    async () => {
      const { status } = await read(id);
      if (status === 'delivered' || status === 'failed') return true;
      await service.env.sleep('2 seconds');
      return false;
    },
    30_000,
  );
}

/** Lets time jump to whatever the workflow waits for, until it ends. */
async function finishByDeadline(id: string) {
  await service.finish(await workflowOf(id));
  return read(id);
}

async function read(id: string) {
  return (await service.api.call('GET', `/api/v1/messages/${id}`, { key })).body;
}

async function timeline(
  id: string,
): Promise<{ kind: string; status: string | null; details: any; at: string }[]> {
  return service.db.query(
    'select kind, status, details, at from message_events where message_id = ? order by message_events.id',
    [id],
  );
}

test('a message alone is carried by the workflow of its own id, and its reports end it', async () => {
  const id = await send('0911234567');
  expect(await dispatchOf(id)).toBe(id);
  const message = await finish(id);
  expect(message).toMatchObject({ status: 'delivered', errorCode: null });
  for (const name of ['acceptedAt', 'sentAt', 'deliveredAt']) expect(message[name]).not.toBeNull();
  expect((await timeline(id)).map(({ kind }) => kind).toSorted()).toEqual(
    [
      'queued',
      'submission_attempted',
      'submission_answered',
      'report_received',
      'report_received',
    ].toSorted(),
  );
  await service.saveHistory(`messages/${id}`, 'send-messages-delivered');
});

test('a workflow that an operator terminates is started again, although nothing is due for days', async () => {
  const id = await send('+251900000006');
  const workflowId = await workflowOf(id);
  await until('the gateway to take it', async () => (await read(id)).status === 'accepted');
  const workflow = service.env.client.workflow.getHandle(workflowId);
  await service.terminateAsleep(workflowId);
  expect(await wakesAfter(id, 'accepted_at')).toBe(unseenSeconds);

  await service.db.query(`update dispatches set wake_at = now() - interval '1 minute' where id = ?`, [id]);
  const sweep = { database: service.db.database, workflowClient: service.env.client.workflow, log };
  await restartOverdueDispatches(sweep, messageRows);
  expect((await workflow.describe()).status.name).toBe('RUNNING');
  // Nothing is due, so the sweep does not ask Temporal about it every minute.
  expect(await wakesAfter(id, 'now()')).toBeGreaterThan(unseenSeconds - 60);
  expect(await finishByDeadline(id)).toMatchObject({ status: 'failed', errorCode: 'dlr_timeout' });
});

/** How many seconds after a time of the message, or now, the sweep looks at the dispatch that has its id. */
async function wakesAfter(id: string, time: 'accepted_at' | 'now()'): Promise<number> {
  const [row] = await service.db.query<{ seconds: number }>(
    `select round(extract(epoch from wake_at - ${time}))::int as seconds
     from dispatches join messages using (id) where id = ?`,
    [id],
  );
  return row!.seconds;
}

test('without a final report a message fails with dlr_timeout 72 hours after the gateway took it', async () => {
  const id = await send('+251900000006');
  const message = await finishByDeadline(id);
  const passedMs = Date.parse(message.failedAt) - Date.parse(message.acceptedAt);
  expect(message).toMatchObject({ status: 'failed', errorCode: 'dlr_timeout' });
  expect(message.errorMessage).toEqual(expect.any(String));
  expect(passedMs).toBeGreaterThanOrEqual(72 * hourMs);
  expect(passedMs).toBeLessThan(73 * hourMs);
  expect((await timeline(id)).at(-1)).toMatchObject({ kind: 'expired', status: 'failed' });
  await service.saveHistory(`messages/${id}`, 'send-messages-without-report');
});

test('while the gateway refuses connections a message is tried again, ever more slowly, and then sent', async () => {
  await service.gatewayLine.cut();
  const id = await send('0911234567');
  const seen = await until('six attempts', async () => {
    await service.env.sleep('20 seconds');
    const attempts = (await timeline(id)).filter(({ kind }) => kind === 'submission_attempted');
    return attempts.length >= 6 && attempts;
  });
  const gapsMs = seen.slice(1).map(({ at }, index) => Date.parse(at) - Date.parse(seen[index]!.at));
  expect(gapsMs[0]!).toBeLessThan(5_000);
  expect(gapsMs.at(-1)!).toBeGreaterThanOrEqual(10_000);
  await service.gatewayLine.restore();
  expect(await finish(id)).toMatchObject({ status: 'delivered' });
  expect(service.simulator.submissions(id)).toBe(1);
}, 30_000);

test('a message that could not be submitted in 72 hours fails with validity_expired and is never sent late', async () => {
  await service.gatewayLine.cut();
  const id = await send('0911234567');
  const message = await finishByDeadline(id);
  await service.gatewayLine.restore();
  expect(message).toMatchObject({ status: 'failed', errorCode: 'validity_expired' });
  expect(Date.parse(message.failedAt) - Date.parse(message.createdAt)).toBeGreaterThanOrEqual(72 * hourMs);
  expect(service.simulator.submissions(id)).toBe(0);
}, 120_000);

test('a busy gateway is tried again until it takes the message', async () => {
  const id = await send('+251900000012');
  expect(await finish(id)).toMatchObject({ status: 'delivered' });
  expect(service.simulator.submissions(id)).toBe(3);
  await service.saveHistory(`messages/${id}`, 'send-messages-retried');
});

test('the list of workflows says why a dispatch waits for a retry, and not any more once it goes on', async () => {
  const id = await send('+251900000012');
  await finish(id);
  expect(await waitingReasons(id)).toEqual(['retry: gateway_temporal_failure', null]);
  expect(await timerSummaries(id)).toContain('retry: gateway_temporal_failure');
});

test('a dispatch without a retry writes no search attribute', async () => {
  const id = await send('0911234567');
  await finish(id);
  expect(await waitingReasons(id)).toEqual([]);
  for (const summary of await timerSummaries(id)) expect(summary).toMatch(/^fails without a report by 2/);
});

/** The values that the workflow of a message gave to WaitingFor, in order. */
async function waitingReasons(id: string): Promise<(string | null)[]> {
  const { events } = await service.env.client.workflow.getHandle(await workflowOf(id)).fetchHistory();
  return (events ?? []).flatMap((event) => {
    const fields = event.upsertWorkflowSearchAttributesEventAttributes?.searchAttributes?.indexedFields;
    const value = fields?.['WaitingFor'];
    return value ? [defaultPayloadConverter.fromPayload<string | null>(value)] : [];
  });
}

async function timerSummaries(id: string): Promise<string[]> {
  const { events } = await service.env.client.workflow.getHandle(await workflowOf(id)).fetchHistory();
  return (events ?? [])
    .filter((event) => event.timerStartedEventAttributes && event.userMetadata?.summary)
    .map((event) => defaultPayloadConverter.fromPayload<string>(event.userMetadata!.summary!));
}

test('a lost answer of a gateway that took the message is settled by the reports, without a second submission', async () => {
  const id = await send('+251900000013');
  expect(await finish(id)).toMatchObject({ status: 'delivered' });
  expect(service.simulator.submissions(id)).toBe(1);
  expect((await timeline(id)).map(({ kind }) => kind)).toContain('submission_doubtful');
});

test('a lost answer of a gateway that did not take it leads to one more submission after 60 seconds, marked as such', async () => {
  const id = await send('+251900000014');
  expect(await finish(id)).toMatchObject({ status: 'delivered' });
  const events = await timeline(id);
  const attempts = events.filter(({ kind }) => kind === 'submission_attempted');
  expect(attempts.map(({ details }) => details)).toEqual([
    { attempt: 1, possibleDuplicate: false },
    { attempt: 2, possibleDuplicate: true },
  ]);
  expect(Date.parse(attempts[1]!.at) - Date.parse(attempts[0]!.at)).toBeGreaterThanOrEqual(60_000);
});

test.each([
  ['+251900000004', 'gateway_rejected'],
  ['+251900000005', 'not_routable'],
])('a final refusal fails the message at once: %s, %s', async (to, errorCode) => {
  const id = await send(to);
  expect(await finish(id)).toMatchObject({ status: 'failed', errorCode, acceptedAt: null });
  expect(service.simulator.submissions(id)).toBeLessThanOrEqual(1);
});

test('messages that wait while a start is in flight go together, and each comes to its end', async () => {
  const ids = await Promise.all(Array.from({ length: 60 }, () => send('0911234567')));
  const dispatches = new Set(await Promise.all(ids.map(dispatchOf)));
  expect(dispatches.size).toBeLessThan(30);
  for (const id of ids) await end(id);
  for (const id of ids) expect(await finish(id)).toMatchObject({ status: 'delivered' });
  const open = await service.db.query('select id from dispatches where settled_at is null');
  expect(open).toEqual([]);
}, 30_000);
