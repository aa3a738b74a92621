import { continueAsNew, proxyActivities, setCurrentDetails, sleep, workflowInfo } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import { taskQueues, type DispatchInput } from './contract.ts';
import { describeProgress } from './describe-progress.ts';

const { attemptDue } = proxyActivities<Activities>({
  taskQueue: taskQueues.webhooks,
  heartbeatTimeout: '10 seconds',
  startToCloseTimeout: '10 minutes',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '30 seconds' },
});

/**
 * Carries a dispatch of webhook deliveries to its end: attempts what is due, sleeps until the next attempt,
 * and is done when each delivery was taken or is in the dead-letter queue.
 */
export async function deliverWebhooks(input: DispatchInput): Promise<void> {
  for (;;) {
    const progress = await attemptDue(input);
    setCurrentDetails(describeProgress(progress));
    if (progress.nextDueAt === null) return;
    await sleep(Math.max(1, Date.parse(progress.nextDueAt) - Date.now()));
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof deliverWebhooks>(input);
  }
}
