import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import { carryDispatch } from './carry-dispatch.ts';
import type { DispatchInput } from './contract.ts';
import { lanes } from './lanes.ts';

const { processDue } = proxyActivities<Activities>(lanes.inbound);

/**
 * Processes a dispatch of inbound messages: routes each, matches its keyword and replies to it. A message is normally
 * completed at once, so the workflow sleeps only for those whose processing was interrupted: they become due again.
 * Postgres holds the messages.
 */
export function handleInbound(input: DispatchInput): Promise<void> {
  return carryDispatch(input, processDue, 'processed at');
}
