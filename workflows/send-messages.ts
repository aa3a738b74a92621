import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import { carryDispatch } from './carry-dispatch.ts';
import { taskQueues, type DispatchInput } from './contract.ts';

const options = {
  // A worker that died is noticed by its silence; what it had claimed is in doubt until the claim runs out.
  heartbeatTimeout: '10 seconds',
  startToCloseTimeout: '10 minutes',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '30 seconds' },
} as const;
const single = proxyActivities<Activities>({ ...options, taskQueue: taskQueues.messages });
const bulk = proxyActivities<Activities>({ ...options, taskQueue: taskQueues.bulkMessages });

/**
 * Carries a dispatch of messages to its end: submits what is due, sleeps until the next retry, the end of a
 * doubt or the 72-hour deadline, and is done when every message is final. Postgres holds the messages.
 */
export function sendMessages(input: DispatchInput): Promise<void> {
  return carryDispatch(input, (input.isBulk ? bulk : single).submitDue);
}
