import {
  continueAsNew,
  patched,
  proxyActivities,
  setCurrentDetails,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import { taskQueues, type RedriveInput, type RedriveProgress } from './contract.ts';

const { redrivePage } = proxyActivities<Activities>({
  taskQueue: taskQueues.redrives,
  // A page is one transaction of a few hundred rows. If it takes longer, its worker has died.
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '30 seconds' },
});

/**
 * Runs an operator's redrive page by page, until no matching row is left, its limit is reached, it is cancelled or it
 * has failed.
 * Postgres holds the progress, so a repeated activity continues from there.
 */
export async function redriveByFilter(input: RedriveInput): Promise<void> {
  for (;;) {
    const progress = await redrivePage(input);
    if (progress === null) return;
    setCurrentDetails(describeRedrive(progress));
    if (progress.status === 'completed' || progress.status === 'cancelled') return;
    // A worker of the version before goes on after a failure, so its histories do too.
    if (progress.status === 'failed' && patched('end-failed-redrives')) return;
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof redriveByFilter>(input);
  }
}

/** The details that operators see in the Temporal Web UI. */
function describeRedrive({ kind, status, matched, redriven, skipped, limit }: RedriveProgress): string {
  const lines = Object.entries(skipped).map(([reason, count]) => `| skipped: ${reason} | ${count} |`);
  return [
    `Redrive of ${kind.replace('_', ' ')}, ${status}.`,
    '',
    '| | |',
    '|---|---|',
    `| matched | ${matched} |`,
    `| redriven | ${redriven} of at most ${limit} |`,
    ...lines,
  ].join('\n');
}
