import { sql, type RawBuilder } from 'kysely';
import { ApiError } from '../errors.ts';
import { permittedSender } from '../sender-ids/permitted-sender.ts';
import type { BatchHindrance } from './bulk-batch-status.ts';

/** Whether the sender of a row of `bulk_batches` may be used. */
export const isSenderApproved = sql<boolean>`(${permittedSender({
  organizationId: sql`bulk_batches.organization_id`,
  environment: sql`bulk_batches.environment`,
  wanted: sql`bulk_batches.sender`,
})} is not null)`;

const isCampaignActive = sql<boolean>`exists (
  select from campaigns where campaigns.id = bulk_batches.campaign_id and campaigns.status = 'active'
)`;

/** The list of a row of `bulk_batches`, if it is there still. */
const contactList = sql`from phonebooks where phonebooks.id = bulk_batches.contact_list_id`;

/** Why a row of `bulk_batches` that is about to start would fail as things stand; null if it would not. */
export const startBlocker = sql<BatchHindrance | null>`case
    when not ${isSenderApproved} then 'sender_not_approved'
    when not ${isCampaignActive} then 'campaign_not_active'
    when not exists (select ${contactList}) then 'contact_list_deleted'
    when (select member_count = 0 ${contactList}) then 'no_recipients'
  end`;

/** The same of one that was paused: its recipients are fixed, whatever became of the list. */
export const resumeBlocker = sql<BatchHindrance | null>`case
    when not ${isSenderApproved} then 'sender_not_approved'
    when not ${isCampaignActive} then 'campaign_not_active'
  end`;

/** What nothing stands in the way of. */
export const noBlocker: RawBuilder<BatchHindrance | null> = sql`null::text`;

/** Says to who would start or resume a batch what stands in the way, and what to do about it. */
export function blockerError(
  hindrance: BatchHindrance,
  batch: { sender: string; campaignStatus: string },
): ApiError {
  switch (hindrance) {
    case 'sender_not_approved':
      return new ApiError(
        'sender_not_approved',
        `The sender of the batch, ${batch.sender}, is not approved for this organization any more. ` +
          'Have it approved again, or cancel the batch and make one with another sender.',
      );
    case 'campaign_not_active':
      return new ApiError(
        'invalid_state',
        `The campaign of the batch is ${batch.campaignStatus}: make it active first, or cancel the batch.`,
      );
    case 'contact_list_deleted':
      return new ApiError(
        'invalid_state',
        'The contact list of the batch was deleted: cancel the batch, and make one with another list.',
      );
    case 'no_recipients':
      return new ApiError('contact_list_empty', 'The contact list has no members: add some first.');
  }
}
