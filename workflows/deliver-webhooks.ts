import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import { carryDispatch } from './carry-dispatch.ts';
import { taskQueues, type DispatchInput } from './contract.ts';

const { attemptDue } = proxyActivities<Activities>({
  taskQueue: taskQueues.webhooks,
  heartbeatTimeout: '10 seconds',
  startToCloseTimeout: '10 minutes',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '30 seconds' },
});

/**
 * Processes a dispatch of webhook deliveries: attempts the deliveries that are due, sleeps until the next attempt, and
 * ends when each delivery was delivered or is in the dead-letter queue.
 */
export function deliverWebhooks(input: DispatchInput): Promise<void> {
  return carryDispatch(input, attemptDue);
}
