import { sql } from 'kysely';
import type { BulkProgress } from '../../../workflows/contract.ts';
import { sqlOf, type Database } from '../../database.ts';
import type { WorkContext } from '../../dispatches/process-concurrently.ts';
import { isPermanentError } from '../../permanent-error.ts';
import { cancelQueuedMessages } from '../../messages/cancel-queued-messages.ts';
import type { Environment } from '../../principal.ts';
import { toDate, type Stored } from '../../stored-rows.ts';
import { isFinalBatch, type BulkBatchStatus } from '../bulk-batch-status.ts';
import { failBatchOnPermanentError } from './fail-batch-on-permanent-error.ts';
import { freezeRecipients } from './freeze-recipients.ts';
import { forgetRate } from './reserve-sending.ts';
import { createSendPage, type SendPageDependencies } from './send-page.ts';
import { notifyBatchEnded } from './notify-batch-ended.ts';

/** The heartbeat interval. It is well within the activity's heartbeat timeout, however long a statement takes. */
const heartbeatMs = 2000;

/**
 * How soon the workflow checks again for messages that other workflows are still processing: those of a batch, or of
 * a cancelled batch.
 */
const [minCheckMs, maxCheckMs] = [1000, 60_000];

/**
 * Creates the function behind `runBulkBatch`. It does the work that is due for a batch, whatever the batch's status
 * is by now, and returns when there is more to do. The process may die at any point, and two processes may run this
 * at the same time: the row records the progress of the batch. The function rejects with the error that stopped it.
 * If that error is permanent, the batch is `failed` by then, and the next attempt reads this status.
 */
export function createAdvanceBatch(
  dependencies: SendPageDependencies & {
    database: Database;
    completeMessageDispatches: (dispatchIds: string[]) => Promise<void>;
    now: () => Date;
  },
): (batchId: string, context: WorkContext) => Promise<BulkProgress> {
  const { database, now } = dependencies;
  const db = sqlOf(database);
  const sendPage = createSendPage(dependencies);

  /** @returns when there is more to do; null: never, unless a caller changes the batch */
  async function act(batch: BatchRow, context: WorkContext): Promise<Date | null> {
    switch (batch.status) {
      case 'scheduled':
        if (batch.scheduledAt && batch.scheduledAt > now()) return batch.scheduledAt;
        await freezeRecipients(database, batch, now());
        return now();
      case 'pending':
        await freezeRecipients(database, batch, now());
        return now();
      case 'processing': {
        const page = await sendPage(batch, context);
        return page.outcome === 'all_created' ? finish(batch.id) : page.nextAt;
      }
      case 'cancelled': {
        const { isLeft } = await cancelQueuedMessages(dependencies, batch.id, now());
        return isLeft ? new Date(now().getTime() + maxCheckMs / 4) : null;
      }
      default:
        return null;
    }
  }

  /** Completes a batch whose messages are all created, once the gateway has accepted or rejected each of them. */
  async function finish(id: string): Promise<Date | null> {
    const dueAt = await db.transaction().execute(async (transaction) => {
      const { rows } = await sql<{ dueAt: string | null; isCompleted: boolean }>`
      with open as (select min(due_at) as due_at from messages where bulk_batch_id = ${id} and status = 'queued'),
      completed as (
        update bulk_batches set status = 'completed', completed_at = ${now()}, wake_at = null
        from open where bulk_batches.id = ${id} and bulk_batches.status = 'processing'
          and next_position > total and open.due_at is null
        returning 1
      )
      select due_at as "dueAt", exists (select from completed) as "isCompleted" from open
    `.execute(transaction);
      if (rows[0]!.isCompleted) await notifyBatchEnded(transaction, id, now());
      return rows[0]!.dueAt;
    });
    if (dueAt === null) return null;
    const waitMs = Date.parse(dueAt) - now().getTime() + minCheckMs;
    return new Date(now().getTime() + Math.min(maxCheckMs, Math.max(minCheckMs, waitMs)));
  }

  return async (batchId, context) => {
    const heartbeat = setInterval(context.heartbeat, heartbeatMs);
    try {
      const batch = await readBatch(dependencies.database, batchId);
      if (!batch) return { status: 'deleted', total: 0, made: 0, nextAt: null };
      const nextAt = await act(batch, context).catch(async (error: unknown) => {
        if (isPermanentError(error)) await failBatchOnPermanentError(db, batch, now());
        throw error;
      });
      const after = await recordNextPage(dependencies.database, batch, nextAt);
      if (isFinalBatch(after.status)) await forgetRate(db, `batch:${batchId}`);
      return after;
    } finally {
      clearInterval(heartbeat);
    }
  };
}

interface BatchRow {
  id: string;
  organizationId: string;
  environment: Environment;
  sender: string;
  text: string;
  status: BulkBatchStatus;
  scheduledAt: Date | null;
  ratePerSecond: number | null;
  nextPosition: number;
}

async function readBatch(database: Database, id: string): Promise<BatchRow | null> {
  const { rows } = await sql<Stored<BatchRow>>`
    select id, organization_id as "organizationId", environment, sender, text, status,
      scheduled_at as "scheduledAt", rate_per_second as "ratePerSecond", next_position as "nextPosition"
    from bulk_batches where id = ${id}
  `.execute(sqlOf(database));
  const row = rows[0];
  return row ? { ...row, scheduledAt: toDate(row.scheduledAt) } : null;
}

/**
 * Records when the workflow is next expected to act; the sweep reads this time. If the batch was changed in the
 * meantime, the value that the change wrote stays, and the batch is processed again at once.
 */
async function recordNextPage(
  database: Database,
  seen: BatchRow,
  nextAt: Date | null,
): Promise<BulkProgress & { status: BulkBatchStatus }> {
  const { rows } = await sql<{ status: BulkBatchStatus; total: number; made: number; isNoted: boolean }>`
    with noted as (
      update bulk_batches set wake_at = ${nextAt} where id = ${seen.id} and status = ${seen.status} returning 1
    )
    select status, total, next_position - 1 as made, exists (select from noted) as "isNoted"
    from bulk_batches where id = ${seen.id}
  `.execute(sqlOf(database));
  const { status, total, made, isNoted } = rows[0]!;
  const isOver = isFinalBatch(status) && status !== 'cancelled';
  const next = isNoted ? nextAt : isOver || status === 'paused' ? null : new Date(0);
  return { status, total, made, nextAt: next?.toISOString() ?? null };
}
