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
import { settledSignalName, taskQueues, type DispatchInput } from './contract.ts';
import { describeProgress } from './describe-progress.ts';

const { expireDue } = proxyActivities<Activities>({
  taskQueue: taskQueues.securityCodes,
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '30 seconds' },
});

/**
 * Carries a dispatch of security codes to its end: sleeps until the next one expires, has that written down,
 * and is done when each was verified, exhausted, superseded or has expired. Postgres holds the codes.
 */
export async function verifySecurityCodes(input: DispatchInput): Promise<void> {
  let settled = false;
  setHandler(defineSignal(settledSignalName), () => {
    settled = true;
  });

  while (!settled) {
    const progress = await expireDue(input);
    setCurrentDetails(describeProgress(progress, 'expires at'));
    if (progress.nextDueAt === null) return;
    await condition(() => settled, Math.max(1, Date.parse(progress.nextDueAt) - Date.now()));
    if (!settled && workflowInfo().continueAsNewSuggested)
      await continueAsNew<typeof verifySecurityCodes>(input);
  }
}
