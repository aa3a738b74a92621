import { createActivities } from '../activities/index.ts';
import { startFolding } from './analytics/fold-counts.ts';
import { startRollingUp } from './analytics/roll-up-days.ts';
import { bulkBatchWorkflow } from './bulk-sms/bulk-batch-workflow.ts';
import { measureRunningBatches } from './bulk-sms/measure-running-batches.ts';
import { createStartChunk } from './bulk-sms/run-batch/start-chunk.ts';
import { loadWorkerConfig, type WorkerConfig } from './config.ts';
import { importWorkflow } from './contacts/import/import-workflow.ts';
import {
  measureOldestDue,
  measureOldestWake,
  measureRowsWithoutDispatch,
} from './dispatches/measure-backlog.ts';
import { startOverdueRows } from './dispatches/row-workflows.ts';
import { startSweep, sweepSteps } from './dispatches/sweep.ts';
import { startExpiryCleanUp } from './expiry-clean-up.ts';
import { createDeliveryReportUrl, createGateway, type Gateway } from './gateway/kannel.ts';
import { measureGateway } from './gateway/measure-gateway.ts';
import { startRemovingExpiredKeys } from './idempotency/remove-expired-keys.ts';
import { inboundRows } from './inbound/inbound-rows.ts';
import { createLog, type Log } from './log.ts';
import { messageRows } from './messages/message-rows.ts';
import { openDatabase } from './open-database.ts';
import type { Environment } from './principal.ts';
import { checkDatabaseAtStart, checkNamespaceAtStart } from './operations/check-start.ts';
import { measurePool } from './operations/measure-pool.ts';
import { checkDatabase, checkTemporal, checkWorkers } from './operations/readiness.ts';
import { serveOperations, type Measure } from './operations/serve-operations.ts';
import { openTemporalMetrics } from './operations/temporal-metrics.ts';
import { runUntilStopped } from './process.ts';
import { erasureWorkflow, retentionWorkflow } from './privacy/discarding-workflows.ts';
import { redriveWorkflow } from './redrives/redrive-workflow.ts';
import { scheduleWorkflow } from './schedules/schedule-workflow.ts';
import { codeRows } from './security-codes/code-rows.ts';
import { measureAlarms } from './security-codes/watch/measure-alarms.ts';
import { startWatchingConversion } from './security-codes/watch/watch-conversion.ts';
import { createServices, type Services } from './services.ts';
import { startTracing } from './start-tracing.ts';
import { createTemporalClient, keepSearchAttributes, registerSearchAttributes } from './temporal.ts';
import { temporalConnectionOf } from './temporal-connection.ts';
import { connectWhenUp, createWorkers, installRuntime } from './temporal-workers.ts';
import { createWebhookAgent } from './webhooks/attempts/attempt-delivery.ts';
import { deliveryRows } from './webhooks/delivery-rows.ts';
import { measureDeadDeliveries } from './webhooks/measure-dead-deliveries.ts';
import { createRequestSlots } from './webhooks/attempts/request-slots.ts';

await runUntilStopped(async () => {
  const config = loadWorkerConfig();
  const log = createLog('worker', config.LOG_LEVEL);
  const stopTracing = await startTracing('sms-worker', config, log);
  const temporalMetrics = config.METRICS_PORT === undefined ? null : await openTemporalMetrics();
  installRuntime(log, temporalMetrics?.exporter);
  const [target, namespace] = [temporalConnectionOf(config), config.TEMPORAL_NAMESPACE];
  const database = await openDatabase({ url: config.DATABASE_URL, poolSize: config.DATABASE_POOL_SIZE });
  await checkDatabaseAtStart(database);
  const temporal = createTemporalClient({ ...target, namespace });
  const services = createServices({
    database,
    workflowClient: temporal.workflow,
    log,
    securityCodePepper: config.SECURITY_CODE_PEPPER,
    previousSecurityCodePepper: config.SECURITY_CODE_PREVIOUS_PEPPER,
    sealingKeys: config.SEALING_KEYS,
    batchWaitMs: config.BATCH_WAIT_MS,
    outcomeWaitMs: config.OUTCOME_WAIT_MS,
    dispatchWaitMs: config.DISPATCH_WAIT_MS,
  });
  const gateways = openGateways(config, config.GATEWAY_CONNECTIONS, log);
  const bulkGateways = openGateways(config, config.BULK_GATEWAY_CONNECTIONS, log);
  const webhookAgent = createWebhookAgent(config.WEBHOOK_ALLOWED_HOSTS);
  const activities = createActivities({
    ...services,
    gateways,
    bulkGateways,
    webhookAgent,
    submissionConcurrency: config.GATEWAY_CONNECTIONS,
    doubtSeconds: config.SUBMISSION_DOUBT_SECONDS,
    // The wait for a connection, plus the wait for the response.
    attemptSeconds: 2 * config.GATEWAY_TIMEOUT_SECONDS,
    webhookSlots: createRequestSlots({
      total: config.WEBHOOK_CONCURRENCY,
      perHost: config.WEBHOOK_CONNECTIONS_PER_HOST,
    }),
    startChunk: createStartChunk(services),
    bulkRates: { platform: config.BULK_RATE_PER_SECOND, sender: config.SENDER_RATE_PER_SECOND },
  });
  const connection = await connectWhenUp(target, log);
  await checkNamespaceAtStart(temporal.workflow, target.address);
  await registerSearchAttributes(temporal.connection, namespace, log);
  const webhookConcurrency = config.WEBHOOK_CONCURRENCY;
  const workers = await createWorkers({ connection, namespace, activities, webhookConcurrency });
  const loops = [...startLoops(services), keepSearchAttributes(temporal.connection, namespace, log)];
  const running = Promise.all(workers.map((worker) => worker.run()));
  // If a worker fails permanently, the process ends, and its supervisor starts another one.
  running.catch((error: unknown) => {
    log.fatal({ err: error }, 'the worker failed');
    process.exit(1);
  });
  const operations = await serveOperations({
    host: config.METRICS_HOST,
    port: config.METRICS_PORT,
    checks: [
      checkDatabase(database),
      checkTemporal(temporal.workflow, { isRequired: true }),
      checkWorkers(workers),
    ],
    measures: measuresOf(services),
    ...(temporalMetrics && { extraMetrics: temporalMetrics.read }),
    log,
  });
  log.info('the worker is polling');
  return {
    stop: async () => {
      const loopsEnded = Promise.all(loops.map((loop) => loop.stop()));
      workers.forEach((worker) => worker.shutdown());
      await running;
      await loopsEnded;
      await operations.stop();
      await Promise.all([connection.close(), temporal.connection.close()]);
      await Promise.all(
        [...Object.values(gateways), ...Object.values(bulkGateways), webhookAgent].map((one) => one.close()),
      );
      await database.close();
      await stopTracing();
    },
  };
});

/** Starts what the worker does again and again, besides its activities. */
function startLoops(services: Services): { stop: () => Promise<void> }[] {
  return [
    startSweep(services.log, [
      ...sweepSteps(services, messageRows),
      ...sweepSteps(services, deliveryRows),
      ...sweepSteps(services, codeRows),
      ...sweepSteps(services, inboundRows),
      { name: 'restart schedules', run: () => startOverdueRows(services, scheduleWorkflow) },
      { name: 'restart redrives', run: () => startOverdueRows(services, redriveWorkflow) },
      { name: 'restart bulk batches', run: () => startOverdueRows(services, bulkBatchWorkflow) },
      { name: 'restart contact imports', run: () => startOverdueRows(services, importWorkflow) },
      { name: 'start retention', run: () => startOverdueRows(services, retentionWorkflow) },
      { name: 'restart erasures', run: () => startOverdueRows(services, erasureWorkflow) },
    ]),
    startExpiryCleanUp(services),
    startFolding(services),
    startRollingUp(services),
    startRemovingExpiredKeys(services),
    startWatchingConversion(services),
  ];
}

/** What the worker measures from the database when its metrics are read. Every worker measures the same. */
function measuresOf({ database, now }: Services): Measure[] {
  return [
    measurePool(database),
    () => measureDeadDeliveries(database),
    () => measureRunningBatches(database),
    () => measureAlarms(database, now),
    ...[messageRows, deliveryRows, codeRows, inboundRows].flatMap((rows) => [
      () => measureRowsWithoutDispatch(database, rows),
      () => measureOldestDue(database, rows),
    ]),
    ...[
      ...[scheduleWorkflow, redriveWorkflow, bulkBatchWorkflow, importWorkflow],
      ...[retentionWorkflow, erasureWorkflow],
    ].map((rows) => () => measureOldestWake(database, rows.kind, rows)),
  ];
}

/** Opens the operator's gateway for live messages and the simulator for those of test keys. */
function openGateways(config: WorkerConfig, connections: number, log: Log): Record<Environment, Gateway> {
  const open = (url: string): Gateway =>
    createGateway({
      url,
      username: config.GATEWAY_USERNAME,
      password: config.GATEWAY_PASSWORD,
      deliveryReportUrl: createDeliveryReportUrl({ baseUrl: config.BASE_URL, token: config.GATEWAY_TOKEN }),
      timeoutMs: config.GATEWAY_TIMEOUT_SECONDS * 1000,
      connections,
    });
  return {
    live: measureGateway(open(config.GATEWAY_URL), 'gateway', log),
    test: measureGateway(open(config.SIMULATOR_URL), 'simulator', log),
  };
}
