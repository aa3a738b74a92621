import type { KyselyPlugin } from 'kysely';
import { pino } from 'pino';
import { createAdvanceBatch } from '../../src/bulk-sms/run-batch/advance-batch.ts';
import type { StartChunk } from '../../src/bulk-sms/run-batch/start-chunk.ts';
import { sqlOf, type Database } from '../../src/database.ts';
import { messageRows } from '../../src/messages/message-rows.ts';
import { openDatabase } from '../../src/open-database.ts';
import { recordProgress } from '../../src/dispatches/dispatch-progress.ts';
import { createDeliveryReportUrl, createGateway, type Gateway } from '../../src/gateway/kannel.ts';
import { startSimulator, type Simulator } from '../../src/gateway/simulator.ts';
import { createTextSealer } from '../../src/messages/sealer.ts';
import { createSubmitDueMessages } from '../../src/messages/submission/submit-due-messages.ts';
import type { BulkProgress } from '../../workflows/contract.ts';
import { gatewayToken, securityCodePepper, type TestApi } from './api.ts';
import type { TestDatabase } from './databases.ts';
import { createTestHash } from './hash-number.ts';

/** The work of a worker for bulk batches, without Temporal: the test acts as the workflow. */
export interface BulkEngine {
  simulator: Simulator;
  /** Processes what is due once, as the activity does. */
  advance: (batchId: string) => Promise<BulkProgress>;
  /** Processes what is due until nothing remains, and calls `between` with each step. */
  run: (batchId: string, between?: (progress: BulkProgress) => Promise<void>) => Promise<BulkProgress>;
  /** Does the work of the workflows of the dispatches: of all, or of those with messages of these organizations. */
  carryDispatches: (organizationIds?: string[]) => Promise<void>;
  /** The worker dies when it has run this number of further statements; null: it does not die. */
  dieAfter: (statements: number | null) => void;
  /** Whether the worker has died. */
  died: () => boolean;
  /** Advances the clock that decides what is due. */
  pass: (seconds: number) => void;
  now: () => Date;
  stop: () => Promise<void>;
}

export interface BulkEngineOptions {
  rates: { platform: number; sender: number };
  /** Wraps the gateway. */
  wrapGateway: (gateway: Gateway) => Gateway;
  /** Replaces the start of a chunk's workflow. By default no workflow starts. */
  startChunk: StartChunk;
}

const context = { heartbeat: () => undefined, stopping: () => false };

export async function startBulkEngine(
  api: TestApi,
  db: TestDatabase,
  options: Partial<BulkEngineOptions> = {},
): Promise<BulkEngine> {
  const simulator = await startSimulator({
    ...{ host: '127.0.0.1', port: 0, callbackBaseUrl: api.baseUrl, log: pino({ level: 'silent' }) },
  });
  const plain = createGateway({
    url: simulator.url,
    username: 'test',
    password: 'test',
    deliveryReportUrl: createDeliveryReportUrl({ baseUrl: api.baseUrl, token: gatewayToken }),
    timeoutMs: 2000,
    connections: 8,
  });
  const gateway = options.wrapGateway?.(plain) ?? plain;
  let left: number | null = null;
  let isDead = false;
  let passedMs = 0;
  const now = (): Date => new Date(Date.now() + passedMs);
  const mortal: KyselyPlugin = {
    transformQuery: ({ node }) => {
      // A dead worker runs no more statements, even for work that it has begun.
      if (isDead || (left !== null && left-- <= 0)) {
        isDead = true;
        throw new Error('The worker died.');
      }
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  };
  const worker = await openDatabase({ url: db.url, poolSize: 8 });
  // The two ways in which the code accesses a database. Freezing uses the second and is one transaction.
  const em = {
    getKysely: (names?: Parameters<typeof worker.em.getKysely>[0]) =>
      worker.em.getKysely(names).withPlugin(mortal),
    fork: () => worker.em.fork(),
  };
  const database = { em } as unknown as Database;
  const shared = {
    now,
    doubtSeconds: 60,
    attemptSeconds: 4,
    submissionConcurrency: 8,
    outcomeGathering: { fromItems: 4, waitMs: 0 },
  };
  const submitDueMessages = createSubmitDueMessages({
    ...{ ...shared, database, gateways: { live: gateway, test: gateway } },
    hashNumber: createTestHash(database),
    ...{ sealer: createTextSealer({ pepper: securityCodePepper }), startWebhooks: () => undefined },
  });
  const advanceBatch = createAdvanceBatch({
    ...{
      database,
      hashNumber: createTestHash(database),
      submitDueMessages,
      rates: options.rates ?? { platform: 1000, sender: 1000 },
    },
    ...{
      startChunk: options.startChunk ?? (() => Promise.resolve()),
      chunksAtOnce: 3,
      completeMessageDispatches: () => Promise.resolve(),
      now,
    },
  });
  const advance = (batchId: string) => advanceBatch(batchId, context);
  return {
    simulator,
    advance,
    run: async (batchId, between = () => Promise.resolve()) => {
      for (;;) {
        const progress = await advance(batchId);
        await between(progress);
        if (progress.nextAt === null) return progress;
        const waitMs = Date.parse(progress.nextAt) - now().getTime();
        if (waitMs > 0) passedMs += waitMs;
      }
    },
    carryDispatches: async (organizationIds) => {
      const open = await db.query<{ id: string }>(
        organizationIds
          ? `select distinct dispatch_id as id from messages
              where organization_id = any(string_to_array(?, ',')::uuid[]) and status = 'queued'`
          : `select id from dispatches where settled_at is null and kind = 'messages'`,
        organizationIds && [organizationIds.join()],
      );
      for (const { id } of open) {
        await submitDueMessages(id, context);
        await recordProgress(sqlOf(database), messageRows, id, now());
      }
    },
    dieAfter: (statements) => {
      left = statements;
      isDead = false;
    },
    died: () => isDead,
    pass: (seconds) => void (passedMs += seconds * 1000),
    now,
    stop: async () => {
      await worker.close();
      await plain.close();
      await simulator.stop();
    },
  };
}
