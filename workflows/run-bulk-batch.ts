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
import { changedSignalName, type BulkBatchInput, type BulkProgress } from './contract.ts';
import { lanes } from './lanes.ts';

const { advanceBulkBatch } = proxyActivities<Activities>(lanes.bulk);

/** The number of activities in one run. Each adds six events to the history, which stays below 5,000. */
const activitiesPerRun = 500;

/** Temporal stores durations as 64-bit nanoseconds, at most 292 years; a batch may be scheduled for later. */
const longestSleepMs = 30 * 24 * 60 * 60 * 1000;

/**
 * Processes a bulk batch: waits until it is due, freezes its recipients, sends page after page, and ends when every
 * message was submitted or cancelled. A paused batch has no workflow: resuming starts it again. Postgres holds the
 * batch and its cursor, so each activity reads by itself what is to be done.
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
      const summary = `next check at ${progress.nextAt}`;
      if (sleepMs > 0) await condition(() => changed, Math.min(longestSleepMs, sleepMs), { summary });
    } else if (!changed) {
      // A change during the activity may be a resume that the activity did not see.
      return;
    }
    // The row contains everything that a signal announced, and the next run reads the row.
    if (activities >= activitiesPerRun || workflowInfo().continueAsNewSuggested) {
      await continueAsNew<typeof runBulkBatch>(input);
    }
  }
}

/** The text that operators see in the Temporal Web UI. */
function describe({ status, total, made, nextAt }: BulkProgress): string {
  const next = nextAt === null ? 'No further action.' : `Next check at ${nextAt}.`;
  return [
    `The batch is ${status}. ${next}`,
    '',
    '| recipients | messages created |',
    '|---|---|',
    `| ${total} | ${made} |`,
  ].join('\n');
}
