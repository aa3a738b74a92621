import { writeFile } from 'node:fs/promises';
import { Context } from '@temporalio/activity';
import proto from '@temporalio/proto';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { pino } from 'pino';
import { createActivities, type Activities } from '../../activities/index.ts';
import { createStartChunk, type StartChunk } from '../../src/bulk-sms/run-batch/start-chunk.ts';
import { createDeliveryReportUrl, createGateway } from '../../src/gateway/kannel.ts';
import { startSimulator, type Simulator } from '../../src/gateway/simulator.ts';
import { createServices } from '../../src/services.ts';
import { registerSearchAttributes } from '../../src/temporal.ts';
import { createWebhookAgent } from '../../src/webhooks/attempts/attempt-delivery.ts';
import { createRequestSlots } from '../../src/webhooks/attempts/request-slots.ts';
import { taskQueues } from '../../workflows/contract.ts';
import { gatewayToken, securityCodePepper, startTestApi, type TestApi } from './api.ts';
import { createTestDatabase, openAs, type TestDatabase } from './databases.ts';
import { quietTemporal } from './quiet-temporal.ts';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';
import { until } from './until.ts';

export interface TestService {
  db: TestDatabase;
  api: TestApi;
  env: TestWorkflowEnvironment;
  simulator: Simulator;
  /** The last submitted text of each message, by message id. */
  submittedTexts: Map<string | undefined, string | null>;
  /** The connection from the worker to the simulator, which can be cut. */
  gatewayLine: TcpProxy;
  /** The connection for the simulator's reports, which can be cut. */
  reportLine: TcpProxy;
  /** The activities of the workers, for a test that runs its own worker. */
  activities: Activities;
  /** Waits until a workflow ends, in skipped time. */
  finish: (workflowId: string) => Promise<void>;
  /**
   * Terminates a workflow while it sleeps. The time-skipping server never skips time again if a workflow is terminated
   * while its activity runs.
   */
  terminateAsleep: (workflowId: string) => Promise<void>;
  /** Saves the history of an ended workflow for test/workflows/replay.test.ts, if SAVE_HISTORIES is set. */
  saveHistory: (workflowId: string, name: string) => Promise<void>;
  /** Sets the clock of the API to the time of the time-skipping server. */
  syncClock: () => Promise<void>;
  /** The worker that runs the occurrences of schedules. A test can stop it for a while. */
  schedulesLane: { stop: () => Promise<void>; start: () => Promise<void> };
  stop: () => Promise<void>;
}

/** The SDK waits five seconds for its server, which may take longer while other tests keep the machine busy. */
export async function startTimeSkipping(attempts = 5): Promise<TestWorkflowEnvironment> {
  const executable = { type: 'existing-path', path: process.env['TIME_SKIPPING_SERVER']! } as const;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await TestWorkflowEnvironment.createTimeSkipping({ server: { executable } });
    } catch (error) {
      if (attempt === attempts || !/did not start within/.test(String(error))) throw error;
    }
  }
}

type Lane = Exclude<keyof typeof taskQueues, 'workflows'>;

/**
 * Starts the whole service except its sweep in one process, with the time-skipping server as Temporal. Due times follow
 * that server's clock, so 72 hours pass in seconds. The workers run as a user with the rights of the role sms_worker.
 *
 * @param options.without lanes that get no worker, for a test that runs and stops its own worker
 */
export async function startTestService(
  options: {
    without?: Lane[];
    bulkRates?: { platform: number; sender: number };
    /** Wraps the activities, for tests in which an activity dies. */
    wrapActivities?: (activities: Activities) => Activities;
    /** Wraps the start of a chunk's workflow, for tests in which a worker dies before or after it. */
    wrapStartChunk?: (start: StartChunk) => StartChunk;
  } = {},
): Promise<TestService> {
  quietTemporal();
  const env = await startTimeSkipping();
  const log = pino({ level: 'silent' });
  await registerSearchAttributes(env.connection, 'default', log);
  const db = await createTestDatabase();
  const restricted = await openAs(db, 'sms_worker');
  let offsetMs = 0;
  const api = await startTestApi({
    database: db.database,
    workflowClient: env.client.workflow,
    webhookAllowedHosts: ['127.0.0.1', 'localhost'],
    now: () => new Date(Date.now() + offsetMs),
  });
  const reportLine = await startTcpProxy(api.baseUrl);
  const submittedTexts = new Map<string | undefined, string | null>();
  const simulator = await startSimulator({
    ...{ host: '127.0.0.1', port: 0, callbackBaseUrl: reportLine.url, log },
    onSubmission: ({ messageId, text }) => void submittedTexts.set(messageId, text),
  });
  const gatewayLine = await startTcpProxy(simulator.url);
  const gateway = createGateway({
    url: gatewayLine.url,
    username: 'test',
    password: 'test',
    deliveryReportUrl: createDeliveryReportUrl({ baseUrl: reportLine.url, token: gatewayToken }),
    timeoutMs: 2000,
    connections: 8,
  });
  const webhookAgent = createWebhookAgent(['127.0.0.1']);
  const { wrapActivities = (same) => same, wrapStartChunk = (same) => same } = options;
  const services = createServices({
    ...{ database: restricted.database, workflowClient: env.client.workflow, log, securityCodePepper },
    now: () => new Date(Context.current().info.currentAttemptScheduledTimestampMs),
  });
  const activities = wrapActivities(
    createActivities({
      ...services,
      gateways: { live: gateway, test: gateway },
      bulkGateways: { live: gateway, test: gateway },
      webhookAgent,
      startChunk: wrapStartChunk(createStartChunk(services)),
      submissionConcurrency: 8,
      bulkRates: options.bulkRates ?? { platform: 1000, sender: 1000 },
      webhookSlots: createRequestSlots({ total: 64, perHost: 8 }),
      doubtSeconds: 60,
      attemptSeconds: 4,
    }),
  );
  const shared = { connection: env.nativeConnection, namespace: 'default' };
  const workers = await Promise.all([
    Worker.create({
      ...shared,
      taskQueue: taskQueues.workflows,
      workflowBundle: { codePath: process.env['TEST_WORKFLOW_BUNDLE']! },
    }),
    ...(Object.keys(taskQueues) as (keyof typeof taskQueues)[])
      .filter((lane) => lane !== 'workflows' && lane !== 'schedules' && !options.without?.includes(lane))
      .map((lane) => Worker.create({ ...shared, taskQueue: taskQueues[lane], activities })),
  ]);
  const running = Promise.all(workers.map((worker) => worker.run()));
  const startSchedules = async () => {
    const worker = await Worker.create({ ...shared, taskQueue: taskQueues.schedules, activities });
    const ended = worker.run();
    return async () => {
      if (worker.getState() === 'RUNNING') worker.shutdown();
      await ended;
    };
  };
  let stopSchedules = await startSchedules();

  return {
    db,
    api,
    env,
    simulator,
    submittedTexts,
    gatewayLine,
    reportLine,
    activities,
    finish: async (workflowId) => {
      await env.client.workflow.getHandle(workflowId).result();
    },
    terminateAsleep: async (workflowId) => {
      const workflow = env.client.workflow.getHandle(workflowId);
      await until('the workflow to sleep', async () => {
        const { events } = await workflow.fetchHistory();
        return events?.at(-1)?.timerStartedEventAttributes != null;
      });
      await workflow.terminate();
    },
    saveHistory: async (workflowId, name) => {
      if (!process.env['SAVE_HISTORIES']) return;
      const history = await env.client.workflow.getHandle(workflowId).fetchHistory();
      const plain = proto.temporal.api.history.v1.History.toObject(
        proto.temporal.api.history.v1.History.fromObject(history),
        {
          bytes: String,
          longs: String,
          enums: String,
        },
      );
      // A replay does not need the identity, and machine names do not belong in the repository.
      const text = JSON.stringify(
        plain,
        (field, value: unknown) => (field === 'identity' ? 'test' : value),
        1,
      );
      await writeFile(new URL(`../workflows/histories/${name}.json`, import.meta.url), `${text}\n`);
    },
    syncClock: async () => {
      offsetMs = (await env.currentTimeMs()) - Date.now();
    },
    schedulesLane: {
      stop: () => stopSchedules(),
      start: async () => {
        stopSchedules = await startSchedules();
      },
    },
    stop: async () => {
      await stopSchedules();
      workers.forEach((worker) => worker.shutdown());
      await running;
      await gateway.close();
      await gatewayLine.stop();
      await simulator.stop();
      await reportLine.stop();
      await webhookAgent.close();
      await api.stop();
      await env.teardown();
      await restricted.close();
      await db.drop();
    },
  };
}
