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
 * Carries a dispatch of messages from phones to its end: routes, matches and answers each. A message is done with
 * at once, so it sleeps only for those whose processing broke off: they come due again. Postgres holds the messages.
 */
export function handleInbound(input: DispatchInput): Promise<void> {
  return carryDispatch(input, processDue, 'processed at');
}
