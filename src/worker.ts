import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { createActivities } from '../activities/index.ts';
import { startFolding } from './analytics/fold-counts.ts';
import { createStartChunk } from './bulk-sms/start-chunk.ts';
import { taskQueues } from '../workflows/contract.ts';
import { bundleWorkflows } from './bundle-workflows.ts';
import { loadWorkerConfig, type WorkerConfig } from './config.ts';
import { openDatabase } from './open-database.ts';
import { completeDispatches } from './dispatches/complete-dispatches.ts';
import { createDispatchStarter } from './dispatches/start-dispatches.ts';
import { startSweep } from './dispatches/sweep.ts';
import { startExpiryCleanUp } from './expiry-clean-up.ts';
import { createDeliveryReportUrl, createGateway, type Gateway } from './gateway/kannel.ts';
import { startRemovingExpiredKeys } from './idempotency/remove-expired-keys.ts';
import { createLog, type Log } from './log.ts';
import { createSecretSealer, createTextSealer } from './messages/sealer.ts';
import { startSecretSealing } from './messages/seal-webhook-secrets.ts';
import { runUntilStopped } from './process.ts';
import { createTemporalClient, registerSearchAttributes } from './temporal.ts';
import { createWebhookAgent } from './webhooks/attempt-delivery.ts';
import { createRequestSlots } from './webhooks/request-slots.ts';

/** How long activities may finish their work after the worker is asked to stop. */
const shutdownGraceTime = '8 seconds';

const { workflows: workflowQueue, ...lanes } = taskQueues;
const activityLanes = Object.values(lanes);
/** The maximum number of concurrent activities of one lane in a worker. */
const activitiesAtOnce = 50;
/**
 * The number of dispatches of bulk messages that are retried concurrently. After an outage there are many, and they
 * share the database.
 */
const bulkDispatchesAtOnce = 8;

await runUntilStopped(async () => {
  const config = loadWorkerConfig();
  const log = createLog('worker', config.LOG_LEVEL);
  logTemporalTo(log);
  const database = await openDatabase({ url: config.DATABASE_URL, poolSize: config.DATABASE_POOL_SIZE });
  const temporal = createTemporalClient({
    address: config.TEMPORAL_ADDRESS,
    namespace: config.TEMPORAL_NAMESPACE,
  });
  const gateways = {
    live: openGateway(config, config.GATEWAY_URL, config.GATEWAY_CONNECTIONS),
    test: openGateway(config, config.SIMULATOR_URL, config.GATEWAY_CONNECTIONS),
  };
  const bulkGateways = {
    live: openGateway(config, config.GATEWAY_URL, config.BULK_GATEWAY_CONNECTIONS),
    test: openGateway(config, config.SIMULATOR_URL, config.BULK_GATEWAY_CONNECTIONS),
  };
  const webhookAgent = createWebhookAgent(config.WEBHOOK_ALLOWED_HOSTS);
  const startWebhooks = createDispatchStarter({
    database,
    workflowClient: temporal.workflow,
    kind: 'webhooks',
    log,
  });
  const startMessages = createDispatchStarter({
    database,
    workflowClient: temporal.workflow,
    kind: 'messages',
    log,
  });
  const secretSealer = createSecretSealer(config.SECURITY_CODE_PEPPER);
  const activities = createActivities({
    database,
    gateways,
    sealer: createTextSealer(config.SECURITY_CODE_PEPPER),
    secretSealer,
    webhookAgent,
    startMessages,
    startWebhooks,
    startChunk: createStartChunk({ database, workflowClient: temporal.workflow, log }),
    submissionConcurrency: config.GATEWAY_CONNECTIONS,
    bulkGateways,
    bulkRates: { platform: config.BULK_RATE_PER_SECOND, sender: config.SENDER_RATE_PER_SECOND },
    completeMessageDispatches: (ids) =>
      completeDispatches({ database, workflowClient: temporal.workflow, log }, 'messages', ids),
    webhookSlots: createRequestSlots({
      total: config.WEBHOOK_CONCURRENCY,
      perHost: config.WEBHOOK_CONNECTIONS_PER_HOST,
    }),
    doubtSeconds: config.SUBMISSION_DOUBT_SECONDS,
    // The wait for a connection, plus the wait for the response.
    attemptSeconds: 2 * config.GATEWAY_TIMEOUT_SECONDS,
    now: () => new Date(),
  });
  const connection = await connectWhenUp(config.TEMPORAL_ADDRESS, log);
  await registerSearchAttributes(temporal.connection, config.TEMPORAL_NAMESPACE, log);
  const workers = await createWorkers(connection, config, activities);
  const sweep = startSweep({ database, workflowClient: temporal.workflow, log });
  const expiryCleanUp = startExpiryCleanUp(database, log);
  const secretSealing = startSecretSealing({ database, secretSealer, log });
  const folding = startFolding(database, log);
  const keyRemoval = startRemovingExpiredKeys({ database, log, now: () => new Date() });
  const running = Promise.all(workers.map((worker) => worker.run()));
  // If a worker fails permanently, the process ends, and its supervisor starts another one.
  running.catch((error: unknown) => {
    log.fatal({ err: error }, 'the worker failed');
    process.exit(1);
  });
  log.info('the worker is polling');
  return {
    stop: async () => {
      const swept = sweep.stop();
      workers.forEach((worker) => worker.shutdown());
      await running;
      await swept;
      await expiryCleanUp.stop();
      await secretSealing.stop();
      await keyRemoval.stop();
      await folding.stop();
      await Promise.all([connection.close(), temporal.connection.close()]);
      await Promise.all(
        [...Object.values(gateways), ...Object.values(bulkGateways), webhookAgent].map((one) => one.close()),
      );
      await database.close();
    },
  };
});

function openGateway(config: WorkerConfig, url: string, connections: number): Gateway {
  return createGateway({
    url,
    username: config.GATEWAY_USERNAME,
    password: config.GATEWAY_PASSWORD,
    deliveryReportUrl: createDeliveryReportUrl({ baseUrl: config.BASE_URL, token: config.GATEWAY_TOKEN }),
    timeoutMs: config.GATEWAY_TIMEOUT_SECONDS * 1000,
    connections,
  });
}

/** One worker runs the workflows. Each lane of activities has its own worker, so that no lane delays another. */
async function createWorkers(
  connection: NativeConnection,
  config: WorkerConfig,
  activities: ReturnType<typeof createActivities>,
): Promise<Worker[]> {
  const workflowBundle = await bundleWorkflows();
  const shared = {
    connection,
    namespace: config.TEMPORAL_NAMESPACE,
    shutdownGraceTime,
  };
  return Promise.all([
    Worker.create({
      ...shared,
      taskQueue: workflowQueue,
      workflowBundle,
      workflowTaskPollerBehavior: { type: 'autoscaling' },
    }),
    ...activityLanes.map((taskQueue) =>
      Worker.create({
        ...shared,
        taskQueue,
        activities,
        maxConcurrentActivityTaskExecutions: concurrencyOf(taskQueue, config),
        activityTaskPollerBehavior: { type: 'autoscaling' },
      }),
    ),
  ]);
}

/** The maximum number of concurrent activities of a lane in a worker. */
function concurrencyOf(taskQueue: string, config: WorkerConfig): number {
  // An idle dispatch of webhooks has one request: slow receivers must not use up the activities of others.
  if (taskQueue === taskQueues.webhooks) return config.WEBHOOK_CONCURRENCY + activitiesAtOnce;
  return taskQueue === taskQueues.bulkMessages ? bulkDispatchesAtOnce : activitiesAtOnce;
}

/** Waits for Temporal if it is not running yet, so that services can be started in any order. */
async function connectWhenUp(address: string, log: Log): Promise<NativeConnection> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await NativeConnection.connect({ address });
    } catch (error) {
      if (attempt === 1)
        log.warn({ err: error, address }, 'Temporal cannot be reached; the worker waits for it');
      await new Promise((resolve) => setTimeout(resolve, Math.min(attempt * 500, 5000)));
    }
  }
}

function logTemporalTo(log: Log): void {
  const levels = { TRACE: 'trace', DEBUG: 'debug', INFO: 'debug', WARN: 'warn', ERROR: 'error' } as const;
  const logger = new DefaultLogger('INFO', ({ level, message, meta }) => {
    // Logged at every start for workers that intentionally have no activities or no workflows.
    if (/^No (activities|workflows) registered/.test(message)) return;
    const { workflowId, activityType, taskQueue, attempt, error } = { ...meta } as Record<string, unknown>;
    log[levels[level]](
      { workflowId, activityType, taskQueue, attempt, ...(error !== undefined && { err: error }) },
      message,
    );
  });
  Runtime.install({ logger });
}
