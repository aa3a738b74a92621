import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import { carryDispatch } from './carry-dispatch.ts';
import type { DispatchInput } from './contract.ts';
import { lanes } from './lanes.ts';

const single = proxyActivities<Activities>(lanes.messages);
const bulk = proxyActivities<Activities>(lanes.bulkMessages);

/**
 * Processes a dispatch of messages: submits the messages that are due, sleeps until the next retry, the end of the wait
 * of a submission in doubt or the 72-hour deadline, and ends when every message is final. Postgres holds the messages.
 */
export function sendMessages(input: DispatchInput): Promise<void> {
  return carryDispatch(input, (input.isBulk ? bulk : single).submitDue);
}
