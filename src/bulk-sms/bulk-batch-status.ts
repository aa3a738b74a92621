import type { Schemas } from '../http/contract/contract-types.ts';

export const bulkBatchStatuses = [
  'pending',
  'scheduled',
  'processing',
  'paused',
  'completed',
  'cancelled',
  'failed',
] as const satisfies Schemas['BulkSmsStatus'][];

export type BulkBatchStatus = (typeof bulkBatchStatuses)[number];

/** The actions on a batch, and the statuses in which each is allowed. */
const allowedIn = {
  start: ['scheduled'],
  pause: ['processing'],
  resume: ['paused'],
  'change the rate of': ['pending', 'scheduled', 'processing', 'paused'],
  cancel: ['pending', 'scheduled', 'processing', 'paused'],
} as const satisfies Record<string, readonly BulkBatchStatus[]>;

export type BulkBatchAction = keyof typeof allowedIn;

export function statusesFor(action: BulkBatchAction): readonly BulkBatchStatus[] {
  return allowedIn[action];
}

const anyOf = new Intl.ListFormat('en', { type: 'disjunction' });

/** Tells a caller whose action is not allowed which actions are: a sentence with the status and the allowed actions. */
export function explainState(status: BulkBatchStatus): string {
  const allowed = Object.entries(allowedIn)
    .filter(([, statuses]) => (statuses as readonly string[]).includes(status))
    .map(([action]) => action);
  if (allowed.length === 0) return `The batch is ${status}. No action is possible any more.`;
  return `The batch is ${status}. You can ${anyOf.format(allowed)} it.`;
}

/** Why a batch could not be sent, for people. */
export const batchFailures = {
  sender_not_approved: 'The sender is no longer approved for the organization.',
  campaign_not_active: 'The campaign was not active when sending was due to start.',
  contact_list_deleted: 'The contact list was deleted before sending started.',
  no_recipients: 'The contact list was empty when sending was due to start.',
  processing_failed:
    'The service cannot process this batch because of a permanent error; its log has the cause. Messages created earlier are sent.',
} as const satisfies Record<NonNullable<Schemas['BulkSms']['failure']>['code'], string>;

export type BatchFailure = keyof typeof batchFailures;

/** The failures that can be detected before a batch starts or resumes. */
export type BatchBlocker = Exclude<BatchFailure, 'processing_failed'>;

export function isFinalBatch(status: BulkBatchStatus): boolean {
  return status === 'completed' || status === 'cancelled' || status === 'failed';
}
