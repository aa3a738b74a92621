/**
 * What the rest of the service may know of the workflows: names, ids, inputs and results. Pure, and the only
 * file of this folder that src/ imports.
 */

/** Workflow tasks share one queue; activities have one for each lane, so that none delays another. */
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
} as const;

/** The workflow that carries a dispatch, for each kind of row. */
export const workflowTypes = {
  messages: 'sendMessages',
  webhooks: 'deliverWebhooks',
  'security-codes': 'verifySecurityCodes',
  inbound: 'handleInbound',
} as const;

/** Sent once a dispatch, when the last of its rows became final by something other than its own activity. */
export const settledSignalName = 'settled';

export interface DispatchInput {
  dispatchId: string;
  /** Of messages: they are of a bulk batch, and have a lane and connections to the gateway of their own. */
  isBulk?: boolean;
}

/** The workflow that carries an import of contacts, and the id under which an operator finds it. */
export const importContactsType = 'importContacts';
export function importWorkflowIdOf(importId: string): string {
  return `contact-imports/${importId}`;
}

export interface ContactImportInput {
  organizationId: string;
  importId: string;
}

/** The id under which an operator finds the workflow of a dispatch. */
export function workflowIdOf(kind: keyof typeof workflowTypes, dispatchId: string): string {
  return `${kind}/${dispatchId}`;
}

/** What an activity tells its workflow of the dispatch: ids, states and times, no personal data. */
export interface DispatchProgress {
  /** How many rows are in each status. */
  counts: Record<string, number>;
  /** ISO time at which the next row wants something done; null when all are final. */
  nextDueAt: string | null;
  /** The open rows that are due first, at most `shownRows`. */
  open: { id: string; status: string; attempts: number; dueAt: string; lastReason: string | null }[];
}

/** Open rows that the details in the Temporal Web UI list; a dispatch at rest has one. */
export const shownRows = 20;

/** The workflow of a schedule. */
export const scheduleWorkflowType = 'runSchedule';

/** Sent when the row of a schedule was changed: the workflow looks at it again. */
export const changedSignalName = 'changed';

export interface ScheduleInput {
  scheduleId: string;
}

/** The id under which an operator finds the workflow of a schedule. */
export function scheduleWorkflowIdOf(scheduleId: string): string {
  return `schedules/${scheduleId}`;
}

/** What an activity tells the workflow of its schedule: states, times and numbers, no personal data. */
export interface ScheduleProgress {
  status: 'active' | 'paused' | 'completed' | 'cancelled' | 'deleted';
  /** ISO time of the next occurrence; null when none is to come. */
  nextRunAt: string | null;
  /** How many occurrences came to which end. */
  counts: Record<string, number>;
}

/** The workflow that carries out an operator's redrive by filter. */
export const redriveWorkflowType = 'redriveByFilter';

export interface RedriveInput {
  redriveId: string;
}

/** The id under which an operator finds the workflow of a redrive. */
export function redriveWorkflowIdOf(redriveId: string): string {
  return `redrives/${redriveId}`;
}

/** How far a redrive is: counts and states, no personal data. */
export interface RedriveProgress {
  kind: string;
  status: 'pending' | 'running' | 'completed' | 'cancelled';
  matched: number;
  redriven: number;
  /** How many that fit were left as they are, by reason. */
  skipped: Partial<Record<string, number>>;
  limit: number;
}

/** The workflow of a bulk batch; it takes `changedSignalName` too. */
export const bulkBatchWorkflowType = 'runBulkBatch';

export interface BulkBatchInput {
  batchId: string;
}

/** The id under which an operator finds the workflow of a bulk batch. */
export function bulkBatchWorkflowIdOf(batchId: string): string {
  return `bulk-sms/${batchId}`;
}

/** What an activity tells the workflow of its bulk batch: states, times and numbers, no personal data. */
export interface BulkProgress {
  status:
    'pending' | 'scheduled' | 'processing' | 'paused' | 'completed' | 'cancelled' | 'failed' | 'deleted';
  /** Recipients, and how many of them have their messages. */
  total: number;
  made: number;
  /** ISO time at which there is more to do; null: nothing is to be done unless the batch is changed. */
  nextAt: string | null;
}
