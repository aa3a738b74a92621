import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import { carryDispatch } from './carry-dispatch.ts';
import { taskQueues, type DispatchInput } from './contract.ts';

const { processDue } = proxyActivities<Activities>({
  taskQueue: taskQueues.inbound,
  heartbeatTimeout: '15 seconds',
  startToCloseTimeout: '5 minutes',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '30 seconds' },
});

/**
 * Processes a dispatch of inbound messages: routes each, matches its keyword and replies to it. A message is normally
 * completed at once, so the workflow sleeps only for those whose processing was interrupted: they become due again.
 * Postgres holds the messages.
 */
export function handleInbound(input: DispatchInput): Promise<void> {
  return carryDispatch(input, processDue, 'processed at');
}
