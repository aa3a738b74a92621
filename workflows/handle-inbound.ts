import { continueAsNew, proxyActivities, setCurrentDetails, sleep, workflowInfo } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import { taskQueues, type DispatchInput } from './contract.ts';
import { describeProgress } from './describe-progress.ts';

const { processDue } = proxyActivities<Activities>({
  taskQueue: taskQueues.inbound,
  heartbeatTimeout: '15 seconds',
  startToCloseTimeout: '5 minutes',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '30 seconds' },
});

/**
 * Carries a dispatch of messages from phones to its end: routes, matches and answers each. A message is done with
 * at once, so it sleeps only for those whose processing broke off: they come due again. Postgres holds the messages.
 */
export async function handleInbound(input: DispatchInput): Promise<void> {
  for (;;) {
    const progress = await processDue(input);
    setCurrentDetails(describeProgress(progress, 'processed at'));
    if (progress.nextDueAt === null) return;
    await sleep(Math.max(1, Date.parse(progress.nextDueAt) - Date.now()));
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof handleInbound>(input);
  }
}
