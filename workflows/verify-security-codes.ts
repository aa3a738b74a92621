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
 * Processes a dispatch of security codes: sleeps until the next one expires, has the expiry recorded, and ends when
 * each is verified, exhausted, superseded or expired. Postgres holds the codes.
 */
export function verifySecurityCodes(input: DispatchInput): Promise<void> {
  return carryDispatch(input, expireDue, 'expires at');
}
