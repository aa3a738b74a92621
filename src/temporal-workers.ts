import {
  DefaultLogger,
  NativeConnection,
  Runtime,
  Worker,
  type MetricsExporterConfig,
} from '@temporalio/worker';
import { taskQueues } from '../workflows/contract.ts';
import { bundleWorkflowsApart } from './bundle-workflows.ts';
import type { Log } from './log.ts';
import type { TemporalConnection } from './temporal-connection.ts';
import { traceActivities } from './trace-workflows.ts';
import { isTracing } from './tracing.ts';

/** How long activities may finish their work after the worker is asked to stop. */
const shutdownGraceTime = '8 seconds';

const { workflows: workflowQueue, ...lanes } = taskQueues;

/** The maximum number of concurrent activities of one lane in a worker. */
const activitiesAtOnce = 50;
/**
 * The number of dispatches of bulk messages that are retried concurrently. After an outage there are many, and they
 * share the database.
 */
const bulkDispatchesAtOnce = 8;

/** One worker runs the workflows. Each lane of activities has its own worker, so that no lane delays another. */
export async function createWorkers(options: {
  connection: NativeConnection;
  namespace: string;
  activities: object;
  /** The number of concurrent webhook requests. */
  webhookConcurrency: number;
}): Promise<Worker[]> {
  const { connection, namespace, activities, webhookConcurrency } = options;
  const workflowBundle = await bundleWorkflowsApart({ passTraceContext: isTracing() });
  const shared = { connection, namespace, shutdownGraceTime };
  return Promise.all([
    Worker.create({
      ...shared,
      taskQueue: workflowQueue,
      workflowBundle,
      workflowTaskPollerBehavior: { type: 'autoscaling' },
    }),
    ...Object.values(lanes).map((taskQueue) =>
      Worker.create({
        ...shared,
        taskQueue,
        activities,
        ...(isTracing() && { interceptors: { activity: [traceActivities] } }),
        maxConcurrentActivityTaskExecutions: concurrencyOf(taskQueue, webhookConcurrency),
        activityTaskPollerBehavior: { type: 'autoscaling' },
      }),
    ),
  ]);
}

/** The maximum number of concurrent activities of a lane in a worker. */
function concurrencyOf(taskQueue: string, webhookConcurrency: number): number {
  // An idle dispatch of webhooks has one request: slow receivers must not use up the activities of others.
  if (taskQueue === taskQueues.webhooks) return webhookConcurrency + activitiesAtOnce;
  return taskQueue === taskQueues.bulkMessages ? bulkDispatchesAtOnce : activitiesAtOnce;
}

/** Waits for Temporal if it is not running yet, so that services can be started in any order. */
export async function connectWhenUp(target: TemporalConnection, log: Log): Promise<NativeConnection> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await NativeConnection.connect(target);
    } catch (error) {
      if (attempt === 1)
        log.warn(
          { err: error, address: target.address },
          'Temporal cannot be reached; the worker waits for it',
        );
      await new Promise((resolve) => setTimeout(resolve, Math.min(attempt * 500, 5000)));
    }
  }
}

/** Sends the log of Temporal's SDK to the log of the worker, and exports its metrics. Called before any connection. */
export function installRuntime(log: Log, metrics?: MetricsExporterConfig): void {
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
  Runtime.install({ logger, ...(metrics && { telemetryOptions: { metrics } }) });
}
