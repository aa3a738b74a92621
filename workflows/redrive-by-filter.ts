import {
  continueAsNew,
  patched,
  proxyActivities,
  setCurrentDetails,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { RedriveInput, RedriveProgress } from './contract.ts';
import { lanes } from './lanes.ts';

const { redrivePage } = proxyActivities<Activities>(lanes.redrives);

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
