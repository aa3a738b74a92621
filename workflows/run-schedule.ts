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
import { changedSignalName, type ScheduleInput, type ScheduleProgress } from './contract.ts';
import { lanes } from './lanes.ts';

const { runDueOccurrences } = proxyActivities<Activities>(lanes.schedules);

/** A worker whose clock is behind finds nothing due. It is called again at this interval, not continuously. */
const shortestSleepMs = 1000;

/** Temporal stores durations as 64-bit nanoseconds, at most 292 years; a schedule may wait longer. */
const longestSleepMs = 30 * 24 * 60 * 60 * 1000;

/**
 * Processes a schedule: runs the occurrences that are due, sleeps until the next one or until the row is changed, and
 * ends when there is none, because the schedule is paused, completed, cancelled or deleted. Resuming starts it again.
 *
 * Postgres holds the schedule, and the activity computes its times: time zone rules change, but the results of a replay
 * must not.
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
      // The row contains everything that a signal announced, and the next run reads the row.
      if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof runSchedule>(input);
    } else if (!changed) {
      // A change during the activity may be a resume that the activity did not see.
      return;
    }
  }
}

/** The text that operators see in the Temporal Web UI. */
function describe({ status, nextRunAt, counts }: ScheduleProgress): string {
  const occurrences = Object.entries(counts).map(([outcome, count]) => `| ${outcome} | ${count} |`);
  const next = nextRunAt === null ? 'No further occurrences.' : `Next occurrence at ${nextRunAt}.`;
  return [
    `The schedule is ${status}. ${next}`,
    '',
    '| outcome | occurrences |',
    '|---|---|',
    ...occurrences,
  ].join('\n');
}
