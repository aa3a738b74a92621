import { ApplicationFailure, Context } from '@temporalio/activity';
import type { Dispatcher } from 'undici';
import { createAdvanceBatch } from '../src/bulk-sms/advance-batch.ts';
import type { SendPageDependencies } from '../src/bulk-sms/send-page.ts';
import type { ImportProgress } from '../src/contacts/import-page.ts';
import { createImportPages } from '../src/contacts/import-pages.ts';
import { sqlOf, type Database } from '../src/database.ts';
import { recordProgress } from '../src/dispatches/dispatch-progress.ts';
import type { DispatchRow } from '../src/dispatches/start-dispatches.ts';
import type { WorkContext } from '../src/dispatches/process-concurrently.ts';
import type { Gateway } from '../src/gateway/kannel.ts';
import { createProcessDueInbound } from '../src/inbound/process-due-inbound.ts';
import type { Environment } from '../src/principal.ts';
import { createRedrivePage } from '../src/redrives/redrive-page.ts';
import { createSubmitDueMessages } from '../src/messages/submit-due-messages.ts';
import type { Sealer } from '../src/messages/sealer.ts';
import { toSafeError } from '../src/safe-error.ts';
import { createRunDueOccurrences } from '../src/schedules/run-due-occurrences.ts';
import { createExpireDueCodes } from '../src/security-codes/expire-due-codes.ts';
import { createAttemptDueDeliveries } from '../src/webhooks/attempt-due-deliveries.ts';
import type { RequestSlots } from '../src/webhooks/request-slots.ts';
import type {
  BulkBatchInput,
  BulkProgress,
  ContactImportInput,
  DispatchInput,
  DispatchProgress,
  ScheduleInput,
  ScheduleProgress,
  RedriveInput,
  RedriveProgress,
} from '../workflows/contract.ts';

/** What the workflows call. */
export interface Activities {
  submitDue: (input: DispatchInput) => Promise<DispatchProgress>;
  attemptDue: (input: DispatchInput) => Promise<DispatchProgress>;
  runDueOccurrences: (input: ScheduleInput) => Promise<ScheduleProgress>;
  expireDue: (input: DispatchInput) => Promise<DispatchProgress>;
  processDue: (input: DispatchInput) => Promise<DispatchProgress>;
  redrivePage: (input: RedriveInput) => Promise<RedriveProgress | null>;
  importPages: (input: ContactImportInput) => Promise<ImportProgress>;
  advanceBulkBatch: (input: BulkBatchInput) => Promise<BulkProgress>;
}

export interface ActivityDependencies {
  database: Database;
  /** Where messages of live and of test keys go. */
  gateways: Record<Environment, Gateway>;
  /** Opens the texts of messages that carry codes. */
  sealer: Sealer;
  /** Opens the secrets of webhooks. */
  secretSealer: Sealer;
  webhookAgent: Dispatcher;
  /** Webhook requests that may be under way at a time. */
  webhookSlots: RequestSlots;
  startMessages: (row: DispatchRow) => void;
  startWebhooks: (row: DispatchRow) => void;
  /** Starts the workflow of a chunk of bulk messages; never rejects, for the sweep starts what this does not. */
  startChunk: SendPageDependencies['startChunk'];
  /** The same gateways on connections of their own, so that bulk messages never hold up the others. */
  bulkGateways: Record<Environment, Gateway>;
  /** Messages a second that all workers together send in bulk, of the platform and of each sender. */
  bulkRates: SendPageDependencies['rates'];
  /** Told of dispatches that may have become settled by something other than their own activity. */
  completeMessageDispatches: (dispatchIds: string[]) => Promise<void>;
  /** Submissions that one dispatch has under way. */
  submissionConcurrency: number;
  /** How long a report is waited for after an answer was lost. */
  doubtSeconds: number;
  /** How long one submission can last. */
  attemptSeconds: number;
  /** The time by which rows are due: the clock's, or that of the time-skipping server. */
  now: () => Date;
}

/** Chunks of bulk messages that a worker makes and submits at a time: a bounded share of its database connections. */
const bulkChunksAtOnce = 3;

/** Thin: the work is in src/, and knows nothing of Temporal. */
export function createActivities(dependencies: ActivityDependencies): Activities {
  const { database, now, submissionConcurrency, webhookAgent, webhookSlots, startMessages, startWebhooks } =
    dependencies;
  const submitMessages = createSubmitDueMessages({ ...dependencies, concurrency: submissionConcurrency });
  const submitBulkMessages = createSubmitDueMessages({
    ...dependencies,
    gateways: dependencies.bulkGateways,
    concurrency: submissionConcurrency,
  });
  async function submitDue({ dispatchId, isBulk }: DispatchInput): Promise<DispatchProgress> {
    await (isBulk ? submitBulkMessages : submitMessages)(dispatchId, workContext());
    return recordProgress(sqlOf(database), 'messages', dispatchId, now());
  }
  const attemptDueDeliveries = createAttemptDueDeliveries({
    ...dependencies,
    agent: webhookAgent,
    places: webhookSlots,
  });
  const redrivePage = createRedrivePage({
    ...dependencies,
    startRows: { messages: startMessages, webhook_deliveries: startWebhooks },
  });
  const expireDueCodes = createExpireDueCodes(dependencies);
  const processDueInbound = createProcessDueInbound(dependencies);
  const runDueOccurrences = createRunDueOccurrences(dependencies);
  const importPages = createImportPages(dependencies);
  const advanceBatch = createAdvanceBatch({
    ...dependencies,
    submitDueMessages: submitBulkMessages,
    rates: dependencies.bulkRates,
    chunksAtOnce: bulkChunksAtOnce,
  });
  return {
    submitDue: (input) => failSafely(submitDue(input)),
    attemptDue: ({ dispatchId }) => failSafely(attemptDueDeliveries(dispatchId, workContext())),
    runDueOccurrences: ({ scheduleId }) => failSafely(runDueOccurrences(scheduleId)),
    expireDue: ({ dispatchId }) => failSafely(expireDueCodes(dispatchId)),
    processDue: ({ dispatchId }) => failSafely(processDueInbound(dispatchId, workContext())),
    redrivePage: ({ redriveId }) => failSafely(redrivePage(redriveId)),
    importPages: (input) => failSafely(importPages(input, workContext())),
    advanceBulkBatch: ({ batchId }) => failSafely(advanceBatch(batchId, workContext())),
  };
}

/** A failure becomes part of the workflow's history, so it carries only what may be told of it. */
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
