import { sql } from 'kysely';
import { campaignOf } from '../../campaigns/campaign-of.ts';
import type { Sql } from '../../database.ts';
import { batchCompleted, batchFailed, type EndedBatch } from '../../notifications/notification-events.ts';
import { recordNotifications } from '../../notifications/record-notifications.ts';
import { batchFailures, type BatchFailure } from '../bulk-batch-status.ts';

/** Records the notification that a batch is completed or has failed, in the transaction that ends the batch. */
export async function notifyBatchEnded(db: Sql, batchId: string, now: Date): Promise<void> {
  const { rows } = await sql<
    Omit<EndedBatch, 'createdBy'> & {
      failure: BatchFailure | null;
      createdByKind: EndedBatch['createdBy']['kind'];
      createdById: string;
    }
  >`
    select bulk_batches.id, bulk_batches.organization_id as "organizationId", environment,
      campaign_id as "campaignId", ${campaignOf(sql`campaign_id`, 'name')} as "campaignName", total, failure,
      created_by_kind as "createdByKind", created_by_id as "createdById"
    from bulk_batches
    where bulk_batches.id = ${batchId}
  `.execute(db);
  const { failure, createdByKind, createdById, ...facts } = rows[0]!;
  const batch = { ...facts, createdBy: { kind: createdByKind, id: createdById } };
  const event =
    failure === null
      ? batchCompleted(batch)
      : batchFailed(batch, { code: failure, message: batchFailures[failure] });
  await recordNotifications(db, [event], now);
}
