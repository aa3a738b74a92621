import { continueAsNew, proxyActivities, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import { taskQueues, type RedriveInput, type RedriveProgress } from './contract.ts';

const { redrivePage } = proxyActivities<Activities>({
  taskQueue: taskQueues.redrives,
  // A page is one transaction of some hundred rows; what takes longer has died with its worker.
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '30 seconds' },
});

/**
 * Carries out an operator's redrive, page after page, until nothing that fits is left, its limit is reached or
 * it was cancelled. Postgres holds how far it is: an activity that is repeated goes on from there.
 */
export async function redriveByFilter(input: RedriveInput): Promise<void> {
  for (;;) {
    const progress = await redrivePage(input);
    if (progress === null) return;
    setCurrentDetails(describeRedrive(progress));
    if (progress.status === 'completed' || progress.status === 'cancelled') return;
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof redriveByFilter>(input);
  }
}

/** The details an operator reads in the Temporal Web UI. */
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
