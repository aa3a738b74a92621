import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import { carryDispatch } from './carry-dispatch.ts';
import type { DispatchInput } from './contract.ts';
import { lanes } from './lanes.ts';

const { expireDue } = proxyActivities<Activities>(lanes.securityCodes);

/**
 * Processes a dispatch of security codes: sleeps until the next one expires, has the expiry recorded, and ends when
 * each is verified, exhausted, superseded or expired. Postgres holds the codes.
 */
export function verifySecurityCodes(input: DispatchInput): Promise<void> {
  return carryDispatch(input, expireDue, 'expires at');
}
