import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import { carryDispatch } from './carry-dispatch.ts';
import { taskQueues, type DispatchInput } from './contract.ts';

const { expireDue } = proxyActivities<Activities>({
  taskQueue: taskQueues.securityCodes,
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '30 seconds' },
});

/**
 * Carries a dispatch of security codes to its end: sleeps until the next one expires, has that written down,
 * and is done when each was verified, exhausted, superseded or has expired. Postgres holds the codes.
 */
export function verifySecurityCodes(input: DispatchInput): Promise<void> {
  return carryDispatch(input, expireDue, 'expires at');
}
