export const bulkBatchStatuses = [
  'pending',
  'scheduled',
  'processing',
  'paused',
  'completed',
  'cancelled',
  'failed',
] as const;

export type BulkBatchStatus = (typeof bulkBatchStatuses)[number];

/** What a caller may ask of a batch, and in which statuses (contract section 6). */
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

/** Says to who asked for what is not possible what is: a sentence with the status and the allowed actions. */
export function explainState(status: BulkBatchStatus): string {
  const allowed = Object.entries(allowedIn)
    .filter(([, statuses]) => (statuses as readonly string[]).includes(status))
    .map(([action]) => action);
  if (allowed.length === 0) return `The batch is ${status}: nothing can be done about it any more.`;
  return `The batch is ${status}: one can ${anyOf.format(allowed)} it.`;
}

/** Why a batch could not be sent, for people. */
export const batchFailures = {
  sender_not_approved: 'The sender is not approved for the organization any more.',
  campaign_not_active: 'The campaign was no longer active when sending was to start.',
  contact_list_deleted: 'The contact list was deleted before sending started.',
  no_recipients: 'The contact list was empty when sending was to start.',
  processing_failed:
    'The service failed at this batch for a reason that does not pass; its log says why. What was made before is sent.',
} as const;

export type BatchFailure = keyof typeof batchFailures;

/** What can be seen before a batch begins or goes on. */
export type BatchHindrance = Exclude<BatchFailure, 'processing_failed'>;

export function isFinalBatch(status: BulkBatchStatus): boolean {
  return status === 'completed' || status === 'cancelled' || status === 'failed';
}
