import { ApplicationFailure, Context } from '@temporalio/activity';
import type { Dispatcher } from 'undici';
import { createAdvanceBatch } from '../src/bulk-sms/run-batch/advance-batch.ts';
import type { SendPageDependencies } from '../src/bulk-sms/run-batch/send-page.ts';
import type { StartChunk } from '../src/bulk-sms/run-batch/start-chunk.ts';
import type { ImportProgress } from '../src/contacts/import/import-page.ts';
import { createImportPages } from '../src/contacts/import/import-pages.ts';
import { sqlOf } from '../src/database.ts';
import { recordProgress } from '../src/dispatches/dispatch-progress.ts';
import type { WorkContext } from '../src/dispatches/process-concurrently.ts';
import type { Gateway } from '../src/gateway/kannel.ts';
import { createProcessDueInbound } from '../src/inbound/process-due-inbound.ts';
import type { Environment } from '../src/principal.ts';
import { createErasurePage } from '../src/privacy/erasure-page.ts';
import { createRetentionPage } from '../src/privacy/retention-page.ts';
import { createRedrivePage } from '../src/redrives/redrive-page.ts';
import { messageRows } from '../src/messages/message-rows.ts';
import { createSubmitDueMessages } from '../src/messages/submission/submit-due-messages.ts';
import { toSafeError } from '../src/safe-error.ts';
import { createRunDueOccurrences } from '../src/schedules/run-due-occurrences.ts';
import { createExpireDueCodes } from '../src/security-codes/expire-due-codes.ts';
import type { Services } from '../src/services.ts';
import { createAttemptDueDeliveries } from '../src/webhooks/attempts/attempt-due-deliveries.ts';
import type { RequestSlots } from '../src/webhooks/attempts/request-slots.ts';
import type {
  BulkBatchInput,
  BulkProgress,
  ContactImportInput,
  DiscardingInput,
  DiscardingProgress,
  DispatchInput,
  DispatchProgress,
  ScheduleInput,
  ScheduleProgress,
  RedriveInput,
  RedriveProgress,
} from '../workflows/contract.ts';

/** The activities that the workflows call. */
export interface Activities {
  submitDue: (input: DispatchInput) => Promise<DispatchProgress>;
  attemptDue: (input: DispatchInput) => Promise<DispatchProgress>;
  runDueOccurrences: (input: ScheduleInput) => Promise<ScheduleProgress>;
  expireDue: (input: DispatchInput) => Promise<DispatchProgress>;
  processDue: (input: DispatchInput) => Promise<DispatchProgress>;
  redrivePage: (input: RedriveInput) => Promise<RedriveProgress | null>;
  importPages: (input: ContactImportInput) => Promise<ImportProgress>;
  advanceBulkBatch: (input: BulkBatchInput) => Promise<BulkProgress>;
  discardPage: (input: DiscardingInput) => Promise<DiscardingProgress | null>;
}

/** What the worker needs: the services that it shares with the API, and its own. */
export interface ActivityDependencies extends Services {
  /** The gateways for messages of live keys and of test keys. */
  gateways: Record<Environment, Gateway>;
  /** The same gateways with separate connections, so that bulk messages never delay others. */
  bulkGateways: Record<Environment, Gateway>;
  /** The number of concurrent submissions of one dispatch. */
  submissionConcurrency: number;
  /** How long a submission in doubt waits for a report before it is repeated. */
  doubtSeconds: number;
  /** The maximum duration of one submission. */
  attemptSeconds: number;
  webhookAgent: Dispatcher;
  /** Limits the concurrent webhook requests. */
  webhookSlots: RequestSlots;
  /** Starts the workflow of a chunk of bulk messages: `createStartChunk`. */
  startChunk: StartChunk;
  /** The rate limits for bulk messages per second, over all workers: for the platform and for each sender. */
  bulkRates: SendPageDependencies['rates'];
}

/**
 * The number of chunks of bulk messages that a worker creates and submits concurrently: a limited share of its database
 * connections.
 */
const bulkChunksAtOnce = 3;

/** The number of pages that one activity discards: they take some seconds at most. */
const pagesAtOnce = 20;

/** Adapts the functions in src/, which know nothing of Temporal, to activities. */
export function createActivities(dependencies: ActivityDependencies): Activities {
  const { database, now, bulkGateways, bulkRates } = dependencies;
  const submitMessages = createSubmitDueMessages(dependencies);
  const submitBulkMessages = createSubmitDueMessages({ ...dependencies, gateways: bulkGateways });
  async function submitDue({ dispatchId, isBulk }: DispatchInput): Promise<DispatchProgress> {
    await (isBulk ? submitBulkMessages : submitMessages)(dispatchId, workContext());
    return recordProgress(sqlOf(database), messageRows, dispatchId, now());
  }
  const attemptDueDeliveries = createAttemptDueDeliveries(dependencies);
  const runDueOccurrences = createRunDueOccurrences(dependencies);
  const expireDueCodes = createExpireDueCodes(dependencies);
  const processDueInbound = createProcessDueInbound(dependencies);
  const redrivePage = createRedrivePage(dependencies);
  const importPages = createImportPages(dependencies);
  const discardPages = {
    retention: createRetentionPage(dependencies),
    erasure: createErasurePage(dependencies),
  };
  const advanceBatch = createAdvanceBatch({
    ...dependencies,
    submitDueMessages: submitBulkMessages,
    rates: bulkRates,
    chunksAtOnce: bulkChunksAtOnce,
  });
  return {
    submitDue: (input) => failSafely(submitDue(input)),
    attemptDue: ({ dispatchId }) => failSafely(attemptDueDeliveries(dispatchId, workContext())),
    runDueOccurrences: ({ scheduleId }) => failSafely(runDueOccurrences(scheduleId)),
    expireDue: ({ dispatchId }) => failSafely(expireDueCodes(dispatchId)),
    processDue: ({ dispatchId }) => failSafely(processDueInbound(dispatchId, workContext())),
    redrivePage: ({ redriveId }) => failSafely(redrivePage(redriveId)),
    discardPage: ({ kind, id }) => failSafely(repeatPages(() => discardPages[kind](id))),
    importPages: (input) => failSafely(importPages(input, workContext())),
    advanceBulkBatch: ({ batchId }) => failSafely(advanceBatch(batchId, workContext())),
  };
}

/** Discards some pages, each of which is committed: most organizations are done with one call. */
async function repeatPages(
  page: () => Promise<DiscardingProgress | null>,
): Promise<DiscardingProgress | null> {
  for (let pages = 1; ; pages += 1) {
    const progress = await page();
    const isOver = progress?.status !== 'running' || pages === pagesAtOnce;
    if (isOver || Context.current().cancellationSignal.aborted) return progress;
  }
}

/** A failure becomes part of the workflow's history, so it contains only safe information. */
async function failSafely<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const { name, code, message, stack } = toSafeError(error);
    const failure = ApplicationFailure.create({ message, type: code ?? name });
    failure.stack = `${message}\n${stack}`;
    throw failure;
  }
}

function workContext(): WorkContext {
  const context = Context.current();
  return {
    heartbeat: () => context.heartbeat(),
    stopping: () => context.cancellationSignal.aborted,
  };
}
