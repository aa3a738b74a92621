import { sql, type RawBuilder } from 'kysely';
import type { Principal } from '../principal.ts';
import type { Database } from '../database.ts';
import type { WorkflowCalls } from '../dispatches/row-workflows.ts';
import { ApiError, notFound } from '../errors.ts';
import { asTenant } from '../organizations/organization-scope.ts';
import { blockerError, campaignStatus, noBlocker, resumeBlocker, startBlocker } from './batch-blocker.ts';
import type { BulkBatchRecord } from './bulk-batch-record.ts';
import {
  explainState,
  statusesFor,
  type BatchBlocker,
  type BulkBatchAction,
  type BulkBatchStatus,
} from './bulk-batch-status.ts';
import { findBatchRecord, isBatch } from './get-bulk-batch.ts';

export interface ChangeDependencies {
  database: Database;
  workflows: WorkflowCalls;
  now: () => Date;
}

/**
 * Starts a scheduled batch now, unless it would fail in its current state. Errors: not_found, invalid_state,
 * sender_not_approved, contact_list_empty.
 */
export async function startBulkBatch(
  dependencies: ChangeDependencies,
  principal: Principal,
  id: string,
): Promise<BulkBatchRecord> {
  const set = sql`status = 'pending', wake_at = ${dependencies.now()}`;
  const record = await change(dependencies, principal, id, 'start', set, startBlocker);
  dependencies.workflows.start(record);
  return record;
}

/** Pauses a batch after the chunk that is being submitted. Errors: not_found, invalid_state. */
export async function pauseBulkBatch(
  dependencies: ChangeDependencies,
  principal: Principal,
  id: string,
): Promise<BulkBatchRecord> {
  const set = sql`status = 'paused', wake_at = null, window_started_at = null, measured_per_second = null`;
  const record = await change(dependencies, principal, id, 'pause', set);
  dependencies.workflows.signalChanged(id);
  return record;
}

/** Resumes a batch with the next recipient. Errors: not_found, invalid_state, sender_not_approved. */
export async function resumeBulkBatch(
  dependencies: ChangeDependencies,
  principal: Principal,
  id: string,
): Promise<BulkBatchRecord> {
  const set = sql`status = 'processing', wake_at = ${dependencies.now()}`;
  const record = await change(dependencies, principal, id, 'resume', set, resumeBlocker);
  dependencies.workflows.start(record);
  return record;
}

/**
 * Changes the rate of a batch, from its next chunk on. Errors: not_found, invalid_state.
 *
 * @param ratePerSecond null: limited only by the rates of the platform and the sender
 */
export async function changeBulkRate(
  dependencies: ChangeDependencies,
  principal: Principal,
  id: string,
  ratePerSecond: number | null,
): Promise<BulkBatchRecord> {
  // The rate measured so far would predict a wrong end time.
  const set = sql`rate_per_second = ${ratePerSecond}, window_started_at = null, measured_per_second = null`;
  return change(dependencies, principal, id, 'change the rate of', set);
}

/**
 * Cancels the part of a batch that was not submitted; the workflow cancels the messages that are queued. Errors:
 * not_found, invalid_state.
 */
export async function cancelBulkBatch(
  dependencies: ChangeDependencies,
  principal: Principal,
  id: string,
): Promise<void> {
  const now = dependencies.now();
  const set = sql`status = 'cancelled', completed_at = ${now}, wake_at = ${now}`;
  const record = await change(dependencies, principal, id, 'cancel', set);
  dependencies.workflows.start(record);
}

/**
 * Changes a batch in one guarded statement. If two callers act at the same time, the second sees the status that the
 * first one set.
 *
 * @param blockerOf why a row of `bulk_batches` cannot be changed, whatever its status is; null if it can
 */
async function change(
  { database, now }: ChangeDependencies,
  principal: Principal,
  id: string,
  action: BulkBatchAction,
  set: RawBuilder<unknown>,
  blockerOf: RawBuilder<BatchBlocker | null> = noBlocker,
): Promise<BulkBatchRecord> {
  const which = isBatch(principal, id);
  return asTenant(database, principal, async (em) => {
    const db = em.getKysely();
    const { rows } = await sql`
      update bulk_batches set ${set}
      where ${which} and status = any(${[...statusesFor(action)]}::text[]) and ${blockerOf} is null returning id
    `.execute(db);
    if (rows.length > 0) return findBatchRecord(em, principal, id, now());
    const found = await sql<Refused>`
      select status, sender, ${blockerOf} as blocker,
        ${campaignStatus} as "campaignStatus"
      from bulk_batches where ${which}
    `.execute(db);
    const [refused] = found.rows;
    if (!refused) throw notFound();
    const { status, blocker } = refused;
    if (blocker !== null && statusesFor(action).includes(status)) throw blockerError(blocker, refused);
    throw new ApiError('invalid_state', explainState(status));
  });
}

interface Refused {
  status: BulkBatchStatus;
  sender: string;
  campaignStatus: string;
  blocker: BatchBlocker | null;
}
