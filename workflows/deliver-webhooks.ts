import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import { carryDispatch } from './carry-dispatch.ts';
import type { DispatchInput } from './contract.ts';
import { lanes } from './lanes.ts';

const { attemptDue } = proxyActivities<Activities>(lanes.webhooks);

/**
 * Processes a dispatch of webhook deliveries: attempts the deliveries that are due, sleeps until the next attempt, and
 * ends when each delivery was delivered or is in the dead-letter queue.
 */
export function deliverWebhooks(input: DispatchInput): Promise<void> {
  return carryDispatch(input, attemptDue);
}
