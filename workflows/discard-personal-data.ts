import { continueAsNew, proxyActivities, setCurrentDetails, sleep, workflowInfo } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { DiscardingInput, DiscardingProgress } from './contract.ts';
import { lanes } from './lanes.ts';

const { discardPage } = proxyActivities<Activities>(lanes.privacy);

/** How often an erasure checks whether what it waits for has ended. */
const waitingPause = '10 minutes';

/**
 * Discards page by page until nothing is left: what the retention rules of an organization name, or all of one number.
 * Postgres holds the progress, so a repeated activity continues from there. The retention of the next day is another
 * run, which the sweep starts.
 */
export async function discardPersonalData(input: DiscardingInput): Promise<void> {
  for (;;) {
    const progress = await discardPage(input);
    if (progress === null) return;
    setCurrentDetails(describeDiscarding(input, progress));
    if (progress.status === 'completed') return;
    if (progress.status === 'waiting') await sleep(waitingPause);
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof discardPersonalData>(input);
  }
}

/** The details that operators see in the Temporal Web UI. */
function describeDiscarding({ kind }: DiscardingInput, progress: DiscardingProgress): string {
  const { status, waitingFor, counts } = progress;
  const lines = Object.entries(counts).map(([name, count]) => `| ${name} | ${count} |`);
  const wait = waitingFor === null ? '' : ` It waits for: ${waitingFor.replaceAll('_', ' ')}.`;
  return [`The ${kind} is ${status}.${wait}`, '', '| | |', '|---|---|', ...lines].join('\n');
}
