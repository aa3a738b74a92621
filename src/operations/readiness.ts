import { sql } from 'kysely';
import type { WorkflowClient } from '@temporalio/client';
import { sqlOf, type Database } from '../database.ts';
import { withinTime } from './within-time.ts';

/** A part that a process needs, and how to find out whether it works. */
export interface Check {
  part: 'database' | 'temporal' | 'worker';
  /** Whether the process can do nothing useful without the part. The API accepts messages while Temporal is down. */
  isRequired: boolean;
  /** Rejects if the part does not work. */
  run: () => Promise<void>;
}

/** Whether a process can do its work, and the state of each part that it needs. */
export interface Readiness {
  isReady: boolean;
  parts: Partial<Record<Check['part'], 'up' | 'down'>>;
}

/** A part that does not respond within this time is down. */
const checkTimeoutMs = 2000;

/** How long a result is repeated, so that many callers cause no more checks than one. */
const freshMs = 1000;

/** Creates the function that checks all parts concurrently. It never rejects. */
export function createReadinessCheck(checks: readonly Check[]): () => Promise<Readiness> {
  let last: { startedAtMs: number; readiness: Promise<Readiness> } | undefined;
  return () => {
    if (!last || performance.now() - last.startedAtMs > freshMs) {
      last = { startedAtMs: performance.now(), readiness: checkParts(checks) };
    }
    return last.readiness;
  };
}

async function checkParts(checks: readonly Check[]): Promise<Readiness> {
  const states = await Promise.all(
    checks.map(async ({ part, isRequired, run }) => ({ part, isRequired, isUp: await succeedsInTime(run) })),
  );
  return {
    isReady: states.every(({ isRequired, isUp }) => isUp || !isRequired),
    parts: Object.fromEntries(states.map(({ part, isUp }) => [part, isUp ? 'up' : 'down'])),
  };
}

function succeedsInTime(run: () => Promise<void>): Promise<boolean> {
  return withinTime(run(), checkTimeoutMs).then(
    () => true,
    () => false,
  );
}

/** The HTTP response that tells the readiness. */
export function toReadinessResponse({ isReady, parts }: Readiness) {
  return { status: isReady ? 200 : 503, body: { status: isReady ? 'ok' : 'unavailable', parts } };
}

/**
 * The checks of the API. Without Temporal it still accepts messages, and their rows wait, so a load balancer must not
 * take it out.
 */
export function checksOfApi(database: Database, workflowClient: WorkflowClient): Check[] {
  return [checkDatabase(database), checkTemporal(workflowClient, { isRequired: false })];
}

/** The database responds. */
export function checkDatabase(database: Database): Check {
  return {
    part: 'database',
    isRequired: true,
    run: async () => {
      await sql`select 1`.execute(sqlOf(database));
    },
  };
}

/** Temporal responds, and has the namespace of the service. */
export function checkTemporal(
  workflowClient: WorkflowClient,
  { isRequired }: Pick<Check, 'isRequired'>,
): Check {
  const { connection, options } = workflowClient;
  return {
    part: 'temporal',
    isRequired,
    run: async () => {
      await workflowClient.withDeadline(Date.now() + checkTimeoutMs, () =>
        connection.workflowService.describeNamespace({ namespace: options.namespace }),
      );
    },
  };
}

/** The worker polls all its task queues. */
export function checkWorkers(workers: readonly { getState: () => string }[]): Check {
  return {
    part: 'worker',
    isRequired: true,
    run: () =>
      workers.every((worker) => worker.getState() === 'RUNNING')
        ? Promise.resolve()
        : Promise.reject(new Error('The worker does not poll all its task queues.')),
  };
}
