import type { WorkflowExecutionDescription } from '@temporalio/client';
import { pino } from 'pino';
import { startOverdueRows } from '../../src/dispatches/row-workflows.ts';
import { startUnassignedRows } from '../../src/dispatches/sweep.ts';
import { messageRows } from '../../src/messages/message-rows.ts';
import { createRunDueOccurrences } from '../../src/schedules/run-due-occurrences.ts';
import { scheduleWorkflow } from '../../src/schedules/schedule-workflow.ts';
import { textOf } from '../helpers/history-text.ts';
import { startTestService, type TestService } from '../helpers/temporal-service.ts';
import { createTenant } from '../helpers/tenants.ts';
import { until } from '../helpers/until.ts';
import { createTestHash } from '../helpers/hash-number.ts';

let service: TestService;
let organizationId: string;
let key: string;

const log = pino({ level: 'silent' });
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

beforeAll(async () => {
  service = await startTestService();
}, 60_000);

afterAll(() => service.stop());

beforeEach(async () => {
  await service.syncClock();
  const tenant = await createTenant(service.db.database);
  organizationId = tenant.organizationId;
  key = await tenant.createKey();
});

// What is left of a test would run on through the years of those after it.
afterEach(() => service.db.query('delete from message_schedules'));

async function currentTime(): Promise<Date> {
  return new Date(await service.env.currentTimeMs());
}

/** The next New Year's Eve but one at noon: far enough for all that a test lets pass before. */
async function newYear(): Promise<number> {
  return (await currentTime()).getUTCFullYear() + 1;
}

async function schedule(fields: Record<string, unknown>): Promise<string> {
  const json = { to: '0911234567', text: 'Selam', scheduleType: 'recurring', timezone: 'UTC', ...fields };
  const { status, body } = await service.api.call('POST', '/api/v1/messages/schedule', { key, json });
  expect({ status, body }).toMatchObject({ status: 201 });
  await asleep(body.id as string);
  return body.id as string;
}

/** Waits until the workflow has run its activity, which has moved the row on, and sleeps. */
async function asleep(id: string): Promise<void> {
  await until('the workflow that sleeps', async () => {
    const [row] = await service.db.query<{ asleep: boolean }>(
      'select wake_at = next_run_at as asleep from message_schedules where id = ?',
      [id],
    );
    if (!row!.asleep) return false;
    const history = await workflowOf(id).fetchHistory();
    return Boolean(history.events?.at(-1)?.timerStartedEventAttributes);
  });
}

async function act(id: string, action: string): Promise<any> {
  const answer = await service.api.call('PATCH', `/api/v1/message-schedules/${id}/status`, {
    key,
    json: { action },
  });
  expect(answer.status).toBe(200);
  return answer.body;
}

async function read(id: string): Promise<any> {
  const { body } = await service.api.call('GET', '/api/v1/message-schedules', { key });
  return body.data.find((one: { id: string }) => one.id === id);
}

/** When the occurrences were due for which messages were made. */
async function ranAt(id: string): Promise<string[]> {
  const rows = await service.db.query<{ due_at: string }>(
    `select due_at from schedule_runs where schedule_id = ? and outcome = 'created' order by due_at`,
    [id],
  );
  return rows.map(({ due_at }) => new Date(due_at).toISOString().slice(0, 16));
}

/** How late each message was made, in milliseconds. */
async function delays(id: string): Promise<number[]> {
  const rows = await service.db.query<{ late: string }>(
    `select extract(epoch from messages.created_at - schedule_runs.due_at) * 1000 as late
     from schedule_runs join messages on messages.id = message_id where schedule_id = ?`,
    [id],
  );
  return rows.map(({ late }) => Number(late));
}

/** Lets time pass in steps, until a moment or until there is nothing to wait for. */
async function passUntil(moment: Date | string): Promise<void> {
  const target = new Date(moment).getTime();
  for (;;) {
    const leftMs = target - (await service.env.currentTimeMs());
    if (leftMs <= 0) return;
    await service.env.sleep(Math.min(leftMs, 40 * dayMs));
  }
}

const workflowOf = (id: string) => service.env.client.workflow.getHandle(`schedules/${id}`);

function describeWorkflow(id: string): Promise<WorkflowExecutionDescription | null> {
  return workflowOf(id)
    .describe()
    .catch(() => null);
}

/** What a worker does each second. */
function sweep(now: Date): Promise<void> {
  const { db, env } = service;
  const dependencies = { database: db.database, workflowClient: env.client.workflow, log };
  return startOverdueRows(dependencies, scheduleWorkflow, now);
}

async function ended(id: string): Promise<void> {
  await until(
    'the end of the workflow',
    async () => (await describeWorkflow(id))?.status.name === 'COMPLETED',
  );
}

test('months from the 31st over three years, a leap day among them, on time and each once', async () => {
  const year = await newYear();
  const id = await schedule({
    startsAt: `${year}-01-31T06:00:00Z`,
    endsAt: `${year + 3}-01-01T00:00:00Z`,
    recurrence: { unit: 'month', interval: 1 },
  });
  await passUntil(`${year + 3}-01-02T00:00:00Z`);
  await ended(id);
  const lastDays = Array.from({ length: 36 }, (_, month) => new Date(Date.UTC(year, month + 1, 0, 6)));
  expect(await ranAt(id)).toEqual(lastDays.map((day) => day.toISOString().slice(0, 16)));
  expect(Math.max(...(await delays(id)))).toBeLessThan(5000);
  expect(Math.min(...(await delays(id)))).toBeGreaterThanOrEqual(0);
  expect(await read(id)).toMatchObject({
    status: 'completed',
    nextRunAt: null,
    counts: { created: 36, missed: 0 },
  });
}, 120_000);

test('02:30 in Berlin over both clock changes of a year', async () => {
  const year = await newYear();
  const lastSunday = (month: number): Date => {
    const last = new Date(Date.UTC(year, month + 1, 0));
    return new Date(last.getTime() - last.getUTCDay() * dayMs);
  };
  const around = async (change: Date): Promise<number[]> => {
    const id = await schedule({
      startsAt: new Date(change.getTime() - 2 * dayMs + (change.getUTCMonth() < 6 ? 90 : 30) * minuteMs),
      endsAt: new Date(change.getTime() + 3 * dayMs),
      timezone: 'Europe/Berlin',
      recurrence: { unit: 'day', interval: 1 },
    });
    await passUntil(new Date(change.getTime() + 4 * dayMs));
    await ended(id);
    await service.saveHistory(`schedules/${id}`, 'run-schedule-recurring');
    return (await ranAt(id)).map((at) => (Date.parse(`${at}Z`) - change.getTime()) / minuteMs);
  };
  const day = 24 * 60;
  // In minutes of UTC from midnight: in winter 02:30 is 01:30, and the missing 02:30 as well; in summer it is 00:30.
  expect(await around(lastSunday(2))).toEqual([90 - 2 * day, 90 - day, 90, 30 + day, 30 + 2 * day]);
  await service.syncClock();
  expect(await around(lastSunday(9))).toEqual([30 - 2 * day, 30 - day, 30, 90 + day, 90 + 2 * day]);
}, 60_000);

test('a schedule waits for years, sends once, and is completed', async () => {
  const startsAt = `${(await newYear()) + 4}-06-01T00:00:00.000Z`;
  const id = await schedule({ scheduleType: 'once', startsAt });
  await passUntil(startsAt);
  await ended(id);
  expect(await ranAt(id)).toEqual([startsAt.slice(0, 16)]);
  expect(await read(id)).toMatchObject({ status: 'completed', lastRunAt: startsAt });
  expect(Math.max(...(await delays(id)))).toBeLessThan(5000);
}, 60_000);

async function daily(): Promise<{ id: string; start: number }> {
  const start = Math.ceil((await service.env.currentTimeMs()) / dayMs + 1) * dayMs;
  const id = await schedule({ startsAt: new Date(start), recurrence: { unit: 'day', interval: 1 } });
  return { id, start };
}

test('a pause over several occurrences sends none of them, neither then nor later; resuming goes on in step', async () => {
  const { id, start } = await daily();
  await passUntil(new Date(start + minuteMs));
  await until('the first run', async () => (await ranAt(id)).length === 1);
  await service.syncClock();
  expect(await act(id, 'pause')).toMatchObject({ status: 'paused', nextRunAt: null });
  await ended(id);
  await service.saveHistory(`schedules/${id}`, 'run-schedule-paused');
  await passUntil(new Date(start + 4.5 * dayMs));
  await service.syncClock();
  const resumed = await act(id, 'resume');
  expect(resumed).toMatchObject({ status: 'active', counts: { created: 1, missed: 0, skipped: 4 } });
  expect(new Date(resumed.nextRunAt).getTime()).toBe(start + 5 * dayMs);
  await asleep(id);
  await passUntil(new Date(start + 6 * dayMs + minuteMs));
  await until('three runs', async () => (await ranAt(id)).length === 3);
  const days = [0, 5, 6].map((day) => new Date(start + day * dayMs).toISOString().slice(0, 16));
  expect(await ranAt(id)).toEqual(days);
}, 60_000);

test('however fast it is paused and resumed, what is active in the end runs, once', async () => {
  const { id, start } = await daily();
  for (let round = 0; round < 15; round += 1) {
    await act(id, 'pause');
    await act(id, 'resume');
  }
  await asleep(id);
  await passUntil(new Date(start + minuteMs));
  await until('the run', async () => (await ranAt(id)).length === 1);
  expect((await read(id)).counts).toMatchObject({ created: 1, skipped: 0 });
}, 60_000);

test.each([
  ['cancel', (id: string) => act(id, 'cancel')],
  ['DELETE', (id: string) => service.api.call('DELETE', `/api/v1/message-schedules/${id}`, { key })],
])(
  '%s ends a workflow that sleeps, and nothing is sent any more',
  async (name, end) => {
    const { id, start } = await daily();
    await end(id);
    await ended(id);
    await passUntil(new Date(start + 2 * dayMs));
    expect(
      await service.db.query('select from messages where organization_id = ?', [organizationId]),
    ).toEqual([]);
    await service.saveHistory(`schedules/${id}`, `run-schedule-${name.toLowerCase()}`);
  },
  60_000,
);

test('a change whose signal was lost costs a workflow that wakes to find nothing to do', async () => {
  const { id, start } = await daily();
  await service.db.query(`update message_schedules set status = 'cancelled' where id = ?`, [id]);
  await passUntil(new Date(start + minuteMs));
  await ended(id);
  expect(await ranAt(id)).toEqual([]);
}, 60_000);

test.each([
  ['a minute', minuteMs, 1, 0],
  ['a day and two hours', dayMs + 120 * minuteMs, 0, 2],
])(
  'after a downtime of %s late ones are sent, too late ones are missed, and it goes on',
  async (_name, downMs, sent, missed) => {
    const { id, start } = await daily();
    // Nothing runs it for so long: time does not skip while an activity waits for a worker, so its workflow goes.
    await workflowOf(id).terminate('down');
    await passUntil(new Date(start + downMs));
    await sweep(await currentTime());
    await until('the late occurrences', async () => {
      const { created, missed: counted } = (await read(id)).counts;
      return created + counted > 0;
    });
    expect((await read(id)).counts).toMatchObject({ created: sent, missed });
    await asleep(id);
    const next = new Date((await read(id)).nextRunAt);
    await passUntil(new Date(next.getTime() + minuteMs));
    await until('the next one', async () => (await ranAt(id)).length === sent + 1);
    expect((await read(id)).counts).toMatchObject({ created: sent + 1, missed });
    expect((await ranAt(id)).at(-1)).toBe(next.toISOString().slice(0, 16));
  },
  60_000,
);

test('an occurrence that comes due while its lane has no worker is sent when there is one again', async () => {
  const startsAt = new Date((await service.env.currentTimeMs()) + 3000);
  const id = await schedule({ scheduleType: 'once', startsAt });
  await service.schedulesLane.stop();
  await until('the activity that waits', async () =>
    Boolean((await describeWorkflow(id))?.raw.pendingActivities?.length),
  );
  expect(await ranAt(id)).toEqual([]);
  await service.schedulesLane.start();
  await ended(id);
  expect(await ranAt(id)).toEqual([startsAt.toISOString().slice(0, 16)]);
}, 60_000);

test('a process that dies between the commit and the start of the message leaves it to the sweep, which sends it once', async () => {
  const { id, start } = await daily();
  await passUntil(new Date(start - minuteMs));
  // The occurrence is run by a process that gets no further than its commit.
  const dying = createRunDueOccurrences({
    database: service.db.database,
    hashNumber: createTestHash(service.db.database),
    startMessages: () => undefined,
    now: () => new Date(start),
  });
  expect(await dying(id)).toMatchObject({ counts: { created: 1 } });
  const [message] = await service.db.query<{ id: string; dispatch_id: string | null }>(
    'select id, dispatch_id from messages where organization_id = ?',
    [organizationId],
  );
  expect(message!.dispatch_id).toBeNull();
  // What Temporal retries finds the occurrence done.
  await passUntil(new Date(start + minuteMs));
  expect(await ranAt(id)).toHaveLength(1);
  await service.db.query(`update messages set created_at = now() - interval '1 minute' where id = ?`, [
    message!.id,
  ]);
  const dependencies = { database: service.db.database, workflowClient: service.env.client.workflow, log };
  await startUnassignedRows(dependencies, messageRows);
  await until('the delivery', async () => {
    await service.env.sleep('1 second');
    const { body } = await service.api.call('GET', `/api/v1/messages/${message!.id}`, { key });
    return body.status === 'delivered';
  });
  expect(service.simulator.submissions(message!.id)).toBe(1);
}, 60_000);

test('an occurrence is sent to its recipient', async () => {
  const startsAt = new Date((await service.env.currentTimeMs()) + 5 * minuteMs);
  const id = await schedule({ scheduleType: 'once', startsAt });
  await passUntil(startsAt);
  const [run] = await until('the run', async () => {
    const { lastRuns } = await read(id);
    return lastRuns.length > 0 && lastRuns;
  });
  await until('the delivery', async () => {
    await service.env.sleep('1 second');
    return (await read(id)).lastRuns[0].messageStatus === 'delivered';
  });
  expect(service.simulator.submissions(run.messageId)).toBe(1);
}, 60_000);

test('a message whose hour is over before the gateway could be reached fails with validity_expired, unsent', async () => {
  await service.gatewayLine.cut();
  const startsAt = new Date((await service.env.currentTimeMs()) + 5 * minuteMs);
  const id = await schedule({ scheduleType: 'once', startsAt });
  await passUntil(startsAt);
  const [run] = await until('the run', async () => {
    const { lastRuns } = await read(id);
    return lastRuns.length > 0 && lastRuns;
  });
  await until('the end of the message', async () => {
    await service.env.sleep('2 minutes');
    return (await read(id)).lastRuns[0].messageStatus === 'failed';
  });
  await service.gatewayLine.restore();
  const { body } = await service.api.call('GET', `/api/v1/messages/${run.messageId}`, { key });
  expect(body.errorCode).toBe('validity_expired');
  expect(Date.parse(body.failedAt)).toBeGreaterThanOrEqual(startsAt.getTime() + 60 * minuteMs);
  expect(service.simulator.submissions(run.messageId)).toBe(0);
}, 60_000);

describe('the sweep', () => {
  test('starts what was made or resumed while Temporal was down, and what Temporal lost', async () => {
    const { id, start } = await daily();
    // Temporal has lost it, which the row does not know.
    await workflowOf(id).terminate('lost');
    await passUntil(new Date(start - minuteMs));
    await sweep(await currentTime());
    expect((await describeWorkflow(id))?.status.name).toBe('TERMINATED');
    await passUntil(new Date(start + 20_000));
    await sweep(await currentTime());
    await until('the late run', async () => (await ranAt(id)).length === 1);
    await asleep(id);
    expect((await describeWorkflow(id))?.status.name).toBe('RUNNING');
    // Made with nobody to start it.
    await act(id, 'pause');
    await ended(id);
    const now = await currentTime();
    await service.db.query(`update message_schedules set status = 'active', wake_at = ? where id = ?`, [
      now,
      id,
    ]);
    await sweep(new Date(now.getTime() + 9000));
    expect((await describeWorkflow(id))?.status.name).toBe('COMPLETED');
    await sweep(new Date(now.getTime() + 11_000));
    await asleep(id);
    expect((await describeWorkflow(id))?.status.name).toBe('RUNNING');
  }, 60_000);

  test('leaves alone what sleeps as it should, what is paused, and what another sweep has just started', async () => {
    const { id } = await daily();
    const runId = (await describeWorkflow(id))!.runId;
    await sweep(await currentTime());
    expect((await describeWorkflow(id))!.runId).toBe(runId);
    await service.db.query('update message_schedules set wake_at = ? where id = ?', [new Date(0), id]);
    const now = await currentTime();
    await Promise.all([sweep(now), sweep(now), sweep(now)]);
    await asleep(id);
    const history = await workflowOf(id).fetchHistory();
    const signals = history.events!.filter((event) => event.workflowExecutionSignaledEventAttributes);
    // One came with the start.
    expect(signals).toHaveLength(2);
  }, 60_000);
});

test('its workflow carries ids, states and times, and can be found by its organization', async () => {
  const { id } = await daily();
  const { searchAttributes } = (await describeWorkflow(id))!;
  expect(searchAttributes).toMatchObject({ OrganizationIds: [organizationId], Kind: ['schedules'] });
  const history = textOf(await workflowOf(id).fetchHistory());
  expect(history).toContain(id);
  for (const secret of ['911234567', 'Selam', 'ACME']) expect(history).not.toContain(secret);
}, 60_000);
