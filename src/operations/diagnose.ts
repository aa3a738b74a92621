import proto from '@temporalio/proto';
import type { WorkflowClient } from '@temporalio/client';
import { taskQueues } from '../../workflows/contract.ts';
import {
  ConfigError,
  loadApiConfig,
  loadDatabaseConfig,
  loadWorkerConfig,
  type Environment,
  type WorkerConfig,
} from '../config.ts';
import { openDatabase } from '../open-database.ts';
import { StartError } from '../process.ts';
import { temporalConnectionOf } from '../temporal-connection.ts';
import { createTemporalClient } from '../temporal.ts';
import { checkDatabaseAtStart, checkNamespaceAtStart } from './check-start.ts';
import { checkTemporal } from './readiness.ts';
import { withinTime } from './within-time.ts';

/** The result of one check. */
export interface Finding {
  /** A stable word. */
  check: 'configuration' | 'database' | 'temporal' | 'worker' | 'gateway' | 'simulator';
  outcome: 'ok' | 'failed' | 'skipped';
  /** What was found, and for a failure what to do. */
  detail: string;
}

/** How long the database may take to answer: as long as a connection may take at most. */
const databaseAnswerMs = 10_000;

/** How long a gateway may take to answer. */
const gatewayAnswerMs = 5_000;

/** A worker that polls asks again at least once a minute. */
const pollerFreshMs = 90_000;

/** Checks everything that the service needs, one after the other, and changes nothing. It never throws. */
export async function* diagnose(environment: Environment): AsyncGenerator<Finding> {
  const config = readConfig(environment);
  yield config.finding;
  yield await checkDatabase(environment);
  if (config.worker === undefined) {
    const detail = 'Correct the configuration first.';
    for (const check of ['temporal', 'worker', 'gateway', 'simulator'] as const) {
      yield { check, outcome: 'skipped', detail };
    }
    return;
  }
  yield* checkTemporalAndWorker(config.worker);
  const { GATEWAY_URL, GATEWAY_USERNAME, GATEWAY_PASSWORD, SIMULATOR_URL } = config.worker;
  yield await checkGateway('gateway', GATEWAY_URL, {
    username: GATEWAY_USERNAME,
    password: GATEWAY_PASSWORD,
  });
  yield await checkGateway('simulator', SIMULATOR_URL, undefined);
}

function readConfig(environment: Environment): { finding: Finding; worker?: WorkerConfig } {
  const check = 'configuration';
  try {
    loadApiConfig(environment);
    const worker = loadWorkerConfig(environment);
    temporalConnectionOf(worker);
    return {
      worker,
      finding: { check, outcome: 'ok', detail: 'The variables of API and worker are valid.' },
    };
  } catch (error) {
    return { finding: { check, outcome: 'failed', detail: messageOf(error) } };
  }
}

async function checkDatabase(environment: Environment): Promise<Finding> {
  const check = 'database';
  try {
    const { DATABASE_URL } = loadDatabaseConfig(environment);
    const { host, pathname } = new URL(DATABASE_URL);
    await withinTime(examineDatabase(DATABASE_URL), databaseAnswerMs);
    return {
      check,
      outcome: 'ok',
      detail: `${pathname.slice(1)} at ${host} can be reached and is migrated.`,
    };
  } catch (error) {
    if (error instanceof ConfigError)
      return { check, outcome: 'skipped', detail: 'DATABASE_URL is not valid.' };
    const detail =
      error instanceof StartError
        ? error.message
        : `${messageOf(error).replace(/\.$/, '')}. Check DATABASE_URL.`;
    return { check, outcome: 'failed', detail };
  }
}

async function examineDatabase(url: string): Promise<void> {
  const database = await openDatabase({ url, poolSize: 1 });
  try {
    await checkDatabaseAtStart(database);
  } finally {
    await database.close();
  }
}

async function* checkTemporalAndWorker(config: WorkerConfig): AsyncGenerator<Finding> {
  const { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace } = config;
  const { workflow, connection } = createTemporalClient({ ...temporalConnectionOf(config), namespace });
  try {
    try {
      await checkNamespaceAtStart(workflow, address);
      await checkTemporal(workflow, { isRequired: true }).run();
    } catch (error) {
      const detail =
        error instanceof StartError
          ? error.message
          : `Temporal at ${address} does not answer. Start it, or correct TEMPORAL_ADDRESS and TEMPORAL_TLS.`;
      yield { check: 'temporal', outcome: 'failed', detail };
      yield { check: 'worker', outcome: 'skipped', detail: 'Only Temporal knows whether a worker runs.' };
      return;
    }
    yield {
      check: 'temporal',
      outcome: 'ok',
      detail: `${address} answers and has the namespace ${namespace}.`,
    };
    yield await checkWorker(workflow, namespace);
  } finally {
    await connection.close();
  }
}

async function checkWorker(workflow: WorkflowClient, namespace: string): Promise<Finding> {
  const check = 'worker';
  try {
    const { pollers } = await workflow.connection.workflowService.describeTaskQueue({
      namespace,
      taskQueue: { name: taskQueues.workflows },
      taskQueueType: proto.temporal.api.enums.v1.TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW,
    });
    const fresh = pollers.filter(
      ({ lastAccessTime }) => Date.now() - Number(lastAccessTime?.seconds ?? 0) * 1000 < pollerFreshMs,
    );
    if (fresh.length > 0) return { check, outcome: 'ok', detail: 'A worker asks Temporal for work.' };
    return {
      check,
      outcome: 'failed',
      detail:
        'No worker has asked Temporal for work in the last 90 s, so nothing is sent. Start one: npm run worker.',
    };
  } catch (error) {
    return {
      check,
      outcome: 'failed',
      detail: `Temporal did not say which workers run: ${messageOf(error)}`,
    };
  }
}

/**
 * Asks a gateway for nothing: a request without a recipient is refused, so any answer shows that the gateway runs.
 * Kannel checks the user first, and answers 403 if the user is wrong. The simulator has no users.
 */
async function checkGateway(
  check: 'gateway' | 'simulator',
  url: string,
  user: { username: string; password: string } | undefined,
): Promise<Finding> {
  const { origin } = new URL(url);
  const target = new URL(url);
  for (const [name, value] of Object.entries(user ?? {})) target.searchParams.set(name, value);
  try {
    const response = await fetch(target, {
      redirect: 'manual',
      signal: AbortSignal.timeout(gatewayAnswerMs),
    });
    await response.body?.cancel();
    if (user === undefined || ![401, 403].includes(response.status)) {
      return { check, outcome: 'ok', detail: `${origin} answers.` };
    }
    const detail = `${origin} refuses the user. Correct GATEWAY_USERNAME and GATEWAY_PASSWORD.`;
    return { check, outcome: 'failed', detail };
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as { code?: string };
    const variable = check === 'gateway' ? 'GATEWAY_URL' : 'SIMULATOR_URL';
    const detail = `${origin} does not answer (${code ?? (error as Error).name}). Start it, or correct ${variable}.`;
    return { check, outcome: 'failed', detail };
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
