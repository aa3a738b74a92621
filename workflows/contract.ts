/**
 * What the rest of the service uses of the workflows: names, ids, inputs and results. It has no side effects, and it is
 * the only file of this folder that src/ imports.
 */

/** Workflow tasks share one queue. Activities have one queue for each lane, so that no lane delays another. */
export const taskQueues = {
  workflows: 'sms-workflows',
  messages: 'sms-messages',
  bulkMessages: 'sms-bulk-messages',
  webhooks: 'sms-webhooks',
  schedules: 'sms-schedules',
  securityCodes: 'sms-codes',
  redrives: 'sms-redrives',
  imports: 'sms-imports',
  bulk: 'sms-bulk',
  inbound: 'sms-inbound',
  privacy: 'sms-privacy',
} as const;

/** The workflow type for each kind of dispatch. */
export const workflowTypes = {
  messages: 'sendMessages',
  webhooks: 'deliverWebhooks',
  'security-codes': 'verifySecurityCodes',
  inbound: 'handleInbound',
} as const;

/**
 * The signal that is sent once to the workflow of a dispatch when its last row was made final by something other than
 * its own activity, for example a delivery report. Its value stays the same: running workflows know the signal by it.
 */
export const completedSignalName = 'settled';

/** The header of workflows and activities that holds the W3C `traceparent` of the workflow's start, if it is traced. */
export const traceHeaderName = 'traceparent';

/** The search attribute that says why a dispatch waits for a retry: `retry: gateway_unreachable`. Absent if it does not. */
export const waitingForAttributeName = 'WaitingFor';

export interface DispatchInput {
  dispatchId: string;
  /** For messages of a bulk batch, which have their own lane and their own connections to the gateway. */
  isBulk?: boolean;
}

/** The workflow of a contact import, and its id in the Temporal Web UI. */
export const importContactsType = 'importContacts';
export function importWorkflowIdOf(importId: string): string {
  return `contact-imports/${importId}`;
}

export interface ContactImportInput {
  organizationId: string;
  importId: string;
}

/** The id of the workflow of a dispatch in the Temporal Web UI. */
export function workflowIdOf(kind: keyof typeof workflowTypes, dispatchId: string): string {
  return `${kind}/${dispatchId}`;
}

/** The progress that an activity returns for its dispatch: ids, states and times, no personal data. */
export interface DispatchProgress {
  /** The number of rows in each status. */
  counts: Record<string, number>;
  /** ISO time at which the next row is due; null if all are final. */
  nextDueAt: string | null;
  /** The open rows that are due first, at most `shownRows`. */
  open: { id: string; status: string; attempts: number; dueAt: string; lastReason: string | null }[];
}

/** The maximum number of open rows in the details in the Temporal Web UI. An idle dispatch has one. */
export const shownRows = 20;

/** The workflow of a schedule. */
export const scheduleWorkflowType = 'runSchedule';

/** The signal that is sent after the row of a schedule was changed. The workflow then reads the row again. */
export const changedSignalName = 'changed';

export interface ScheduleInput {
  scheduleId: string;
}

/** The id of the workflow of a schedule in the Temporal Web UI. */
export function scheduleWorkflowIdOf(scheduleId: string): string {
  return `schedules/${scheduleId}`;
}

/** The progress that an activity returns for its schedule: states, times and numbers, no personal data. */
export interface ScheduleProgress {
  status: 'active' | 'paused' | 'completed' | 'cancelled' | 'deleted';
  /** ISO time of the next occurrence; null if there is none. */
  nextRunAt: string | null;
  /** The number of occurrences with each outcome. */
  counts: Record<string, number>;
}

/** The workflow of an operator's redrive by filter. */
export const redriveWorkflowType = 'redriveByFilter';

export interface RedriveInput {
  redriveId: string;
}

/** The id of the workflow of a redrive in the Temporal Web UI. */
export function redriveWorkflowIdOf(redriveId: string): string {
  return `redrives/${redriveId}`;
}

/** The progress of a redrive: counts and states, no personal data. */
export interface RedriveProgress {
  kind: string;
  status: 'pending' | 'running' | 'completed' | 'cancelled' | 'failed';
  matched: number;
  redriven: number;
  /** The number of matching rows that were left unchanged, by reason. */
  skipped: Partial<Record<string, number>>;
  limit: number;
}

/** The workflow that discards personal data: by the retention rules of an organization, or all of one number. */
export const discardingWorkflowType = 'discardPersonalData';

export interface DiscardingInput {
  kind: 'retention' | 'erasure';
  /** Of the organization, or of the erasure. */
  id: string;
}

/** The ids of the workflows in the Temporal Web UI. */
export function retentionWorkflowIdOf(organizationId: string): string {
  return `retention/${organizationId}`;
}

export function erasureWorkflowIdOf(erasureId: string): string {
  return `erasures/${erasureId}`;
}

/** The progress that an activity returns: states and counts, no personal data. */
export interface DiscardingProgress {
  status: 'running' | 'waiting' | 'completed';
  /** What a waiting erasure waits for. */
  waitingFor: string | null;
  counts: Record<string, number>;
}

/** The workflow of a bulk batch. It handles `changedSignalName` too. */
export const bulkBatchWorkflowType = 'runBulkBatch';

export interface BulkBatchInput {
  batchId: string;
}

/** The id of the workflow of a bulk batch in the Temporal Web UI. */
export function bulkBatchWorkflowIdOf(batchId: string): string {
  return `bulk-sms/${batchId}`;
}

/** The progress that an activity returns for its bulk batch: states, times and numbers, no personal data. */
export interface BulkProgress {
  status:
    'pending' | 'scheduled' | 'processing' | 'paused' | 'completed' | 'cancelled' | 'failed' | 'deleted';
  /** The number of recipients; `made` is the number of messages created for them. */
  total: number;
  made: number;
  /** ISO time of the next work; null if there is none unless the batch is changed. */
  nextAt: string | null;
}
