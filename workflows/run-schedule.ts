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
import { changedSignalName, taskQueues, type ScheduleInput, type ScheduleProgress } from './contract.ts';

const { runDueOccurrences } = proxyActivities<Activities>({
  taskQueue: taskQueues.schedules,
  // It is one short transaction: what takes longer has lost its worker, and the occurrence waits.
  startToCloseTimeout: '20 seconds',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '30 seconds' },
});

/** A worker whose clock is behind finds nothing due; it is asked again at this pace, not at full speed. */
const shortestSleepMs = 1000;

/** Temporal counts in nanoseconds of 64 bits, which are 292 years; a schedule may wait for longer. */
const longestSleepMs = 30 * 24 * 60 * 60 * 1000;

/**
 * Carries a schedule: runs what is due, sleeps until the next occurrence or until the row was changed, and
 * ends when none is to come, be it paused, completed, cancelled or deleted. Resuming starts it again.
 *
 * Postgres holds the schedule, and the activity computes its times: the rules of time zones change, and what
 * a replay computes must not.
 */
export async function runSchedule(input: ScheduleInput): Promise<void> {
  let changed = false;
  setHandler(defineSignal(changedSignalName), () => {
    changed = true;
  });

  for (;;) {
    changed = false;
    const progress = await runDueOccurrences(input);
    setCurrentDetails(describe(progress));
    if (progress.nextRunAt !== null) {
      const sleepMs = Date.parse(progress.nextRunAt) - Date.now();
      await condition(() => changed, Math.min(longestSleepMs, Math.max(shortestSleepMs, sleepMs)));
      // Whatever a signal told is in the row, and the next run reads it.
      if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof runSchedule>(input);
    } else if (!changed) {
      // A change that came during the activity may be a resumption that it did not see.
      return;
    }
  }
}

/** What an operator reads in the Temporal Web UI. */
function describe({ status, nextRunAt, counts }: ScheduleProgress): string {
  const occurrences = Object.entries(counts).map(([outcome, count]) => `| ${outcome} | ${count} |`);
  const next = nextRunAt === null ? 'Nothing is to come.' : `Next occurrence at ${nextRunAt}.`;
  return [
    `The schedule is ${status}. ${next}`,
    '',
    '| outcome | occurrences |',
    '|---|---|',
    ...occurrences,
  ].join('\n');
}
