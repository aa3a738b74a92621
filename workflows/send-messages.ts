import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import { carryDispatch } from './carry-dispatch.ts';
import { taskQueues, type DispatchInput } from './contract.ts';

const options = {
  // A missing heartbeat shows that a worker died. The outcome of its claims is unknown until the claims expire.
  heartbeatTimeout: '10 seconds',
  startToCloseTimeout: '10 minutes',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '30 seconds' },
} as const;
const single = proxyActivities<Activities>({ ...options, taskQueue: taskQueues.messages });
const bulk = proxyActivities<Activities>({ ...options, taskQueue: taskQueues.bulkMessages });

/**
 * Processes a dispatch of messages: submits the messages that are due, sleeps until the next retry, the end of the wait
 * for an unknown outcome or the 72-hour deadline, and ends when every message is final. Postgres holds the messages.
 */
export function sendMessages(input: DispatchInput): Promise<void> {
  return carryDispatch(input, (input.isBulk ? bulk : single).submitDue);
}
