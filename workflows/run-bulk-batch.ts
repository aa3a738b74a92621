import {
  condition,
  continueAsNew,
  defineSignal,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import { changedSignalName, taskQueues, type BulkBatchInput, type BulkProgress } from './contract.ts';

const { advanceBulkBatch } = proxyActivities<Activities>({
  taskQueue: taskQueues.bulk,
  heartbeatTimeout: '10 seconds',
  startToCloseTimeout: '10 minutes',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '30 seconds' },
});

/** Activities of one run; each leaves six events in its history, which is kept under 5,000. */
const activitiesPerRun = 500;

/** Temporal counts in nanoseconds of 64 bits, which are 292 years; a batch may be scheduled for later. */
const longestSleepMs = 30 * 24 * 60 * 60 * 1000;

/**
 * Carries a bulk batch: waits until it is due, has its recipients frozen, sends page after page, and ends when
 * every message was submitted, or was cancelled. While the batch is paused there is no workflow: resuming starts
 * it again. Postgres holds the batch and its cursor, so each activity finds out by itself what is to be done.
 */
export async function runBulkBatch(input: BulkBatchInput): Promise<void> {
  let changed = false;
  setHandler(defineSignal(changedSignalName), () => {
    changed = true;
  });

  for (let activities = 1; ; activities += 1) {
    changed = false;
    const progress = await advanceBulkBatch(input);
    setCurrentDetails(describe(progress));
    if (progress.nextAt !== null) {
      const sleepMs = Date.parse(progress.nextAt) - Date.now();
      if (sleepMs > 0) await condition(() => changed, Math.min(longestSleepMs, sleepMs));
    } else if (!changed) {
      // A change that came during the activity may be a resumption that it did not see.
      return;
    }
    // Whatever a signal told is in the row, and the next run reads it.
    if (activities >= activitiesPerRun || workflowInfo().continueAsNewSuggested) {
      await continueAsNew<typeof runBulkBatch>(input);
    }
  }
}

/** What an operator reads in the Temporal Web UI. */
function describe({ status, total, made, nextAt }: BulkProgress): string {
  const next = nextAt === null ? 'Nothing is to come.' : `Next look at ${nextAt}.`;
  return [
    `The batch is ${status}. ${next}`,
    '',
    '| recipients | messages made |',
    '|---|---|',
    `| ${total} | ${made} |`,
  ].join('\n');
}
