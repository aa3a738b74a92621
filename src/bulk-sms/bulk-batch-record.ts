import { sql, type RawBuilder } from 'kysely';
import type { Sql } from '../database.ts';
import type { Schemas } from '../http/contract/contract-types.ts';
import type { MessageStatus } from '../messages/message-status.ts';
import type { ScopedEntityManager } from '../organizations/organization-scope.ts';
import { recordset } from '../recordset.ts';
import { toIsoTime } from '../stored-rows.ts';
import { batchFailures, isFinalBatch, type BatchFailure } from './bulk-batch-status.ts';

/** The number of recipients in each message status; the statuses add up to `total`. */
export type Ledger = BulkBatchRecord['ledger'];

/** A bulk batch as every endpoint returns it. */
export type BulkBatchRecord = Schemas['BulkSms'];

/**
 * Reads batches with their ledgers in one statement. Its snapshot keeps each ledger consistent, because the
 * transaction that creates messages also moves the cursor. A recipient without a message counts with the status that
 * it will get in the current state of the batch: queued, or cancelled or failed with its batch. All counts come from
 * one index of the messages. Once the counts can no longer change, they are stored with the batch, so that listing
 * old batches counts nothing.
 *
 * @param which a condition on `bulk_batches`, placed after `where`
 */
export async function readBatchRecords(
  em: ScopedEntityManager,
  which: { condition: RawBuilder<unknown>; limit: number },
  now: Date,
): Promise<BulkBatchRecord[]> {
  const db = em.getKysely<unknown>();
  const { rows } = await sql<StoredBatch>`
    select id, organization_id as "organizationId", environment, campaign_id as "campaignId",
      contact_list_id as "contactListId", text, sender, status, scheduled_at as "scheduledAt",
      rate_per_second as "ratePerSecond", total, next_position - 1 as "madeCount",
      measured_per_second as "measuredPerSecond", failure, created_at as "createdAt",
      started_at as "startedAt", completed_at as "completedAt",
      coalesce(settled_counts, counted.counts) as counts, settled_counts is not null as "isComplete"
    from bulk_batches cross join lateral (
      select jsonb_build_object(
        'queued', count(*) filter (where message.status = 'queued'),
        'accepted', count(*) filter (where message.status = 'accepted'),
        'sent', count(*) filter (where message.status = 'sent'),
        'delivered', count(*) filter (where message.status = 'delivered'),
        'failed', count(*) filter (where message.status = 'failed'),
        'cancelled', count(*) filter (where message.status = 'cancelled'),
        'optedOut', count(*) filter (where error_code = 'recipient_opted_out'),
        'duplicates', count(*) filter (where error_code = 'duplicate_recipient'),
        'invalid', count(*) filter (where error_code = 'invalid_recipient'),
        'segments', coalesce(sum(segments) filter (
          where message.status in ('accepted', 'sent', 'delivered')
            or error_code in ('undelivered', 'smsc_rejected', 'dlr_timeout')
        ), 0)
      ) as counts
      from messages message where message.bulk_batch_id = bulk_batches.id and bulk_batches.settled_counts is null
    ) counted
    where ${which.condition} order by id desc limit ${which.limit}
  `.execute(db);
  await keepCompleteCounts(db, rows);
  return rows.map((row) => toRecord(row, now));
}

/** The counts of a batch's messages. */
type Counts = Record<MessageStatus, number> & BulkBatchRecord['refused'] & { segments: number };

type StoredBatch = Omit<
  BulkBatchRecord,
  'from' | 'ledger' | 'refused' | 'segments' | 'failure' | 'measuredRatePerSecond'
> & {
  sender: string;
  total: number;
  madeCount: number;
  measuredPerSecond: number | null;
  failure: BatchFailure | null;
  counts: Counts;
  isComplete: boolean;
};

/** A final batch creates no more messages, and a final message does not change. */
async function keepCompleteCounts(db: Sql, batches: StoredBatch[]): Promise<void> {
  const complete = batches.filter(
    ({ status, counts, isComplete }) =>
      !isComplete && isFinalBatch(status) && counts.queued + counts.accepted + counts.sent === 0,
  );
  if (complete.length === 0) return;
  await sql`
    update bulk_batches set settled_counts = complete.counts
    from ${recordset(complete, 'complete', { id: 'uuid', counts: 'jsonb' })}
    where bulk_batches.id = complete.id
  `.execute(db);
}

function toRecord(row: StoredBatch, now: Date): BulkBatchRecord {
  const { id, organizationId, environment, campaignId, contactListId, text, status, failure } = row;
  const unmade = row.total - row.madeCount;
  const unmadeAs: MessageStatus = status === 'cancelled' || status === 'failed' ? status : 'queued';
  const { optedOut, duplicates, invalid, segments, ...statuses } = row.counts;
  const ledger: Ledger = { total: row.total, ...statuses };
  ledger[unmadeAs] += unmade;
  const measured = status === 'processing' ? row.measuredPerSecond : null;
  const perSecond = measured ?? row.ratePerSecond;
  const endsInMs = status === 'processing' && perSecond ? (unmade / perSecond) * 1000 : null;
  return {
    id,
    organizationId,
    environment,
    campaignId,
    contactListId,
    text,
    from: row.sender,
    status,
    scheduledAt: toIsoTime(row.scheduledAt),
    ratePerSecond: row.ratePerSecond,
    ledger,
    refused: { optedOut, duplicates, invalid },
    segments,
    measuredRatePerSecond: measured === null ? null : Math.round(measured * 10) / 10,
    estimatedEndAt: endsInMs === null ? null : new Date(now.getTime() + endsInMs).toISOString(),
    failure: failure && { code: failure, message: batchFailures[failure] },
    createdAt: toIsoTime(row.createdAt),
    startedAt: toIsoTime(row.startedAt),
    completedAt: toIsoTime(row.completedAt),
  };
}
