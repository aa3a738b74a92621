import { sql, type RawBuilder } from 'kysely';
import { campaignOf } from '../campaigns/campaign-of.ts';
import { ApiError } from '../errors.ts';
import { memberCountOf } from '../phonebooks/count-members.ts';
import { permittedSender } from '../sender-ids/permitted-sender.ts';
import type { BatchBlocker } from './bulk-batch-status.ts';

/** Whether the sender of a row of `bulk_batches` may be used. */
export const isSenderApproved = sql<boolean>`(${permittedSender({
  organizationId: sql`bulk_batches.organization_id`,
  environment: sql`bulk_batches.environment`,
  wanted: sql`bulk_batches.sender`,
})} is not null)`;

/** The status of the campaign of a row of `bulk_batches`. */
export const campaignStatus = campaignOf(sql`bulk_batches.campaign_id`, 'status');

const isCampaignActive = sql<boolean>`${campaignStatus} is not distinct from 'active'`;

/** The number of contacts in the list of a row of `bulk_batches`; null if the list was deleted. */
const members = memberCountOf(sql`bulk_batches.contact_list_id`);

/** Why a row of `bulk_batches` that is about to start would fail in the current state; null if it would not fail. */
export const startBlocker = sql<BatchBlocker | null>`case
    when not ${isSenderApproved} then 'sender_not_approved'
    when not ${isCampaignActive} then 'campaign_not_active'
    when ${members} is null then 'contact_list_deleted'
    when ${members} = 0 then 'no_recipients'
  end`;

/** The same for a paused batch. Its recipients are fixed, so changes to the list have no effect. */
export const resumeBlocker = sql<BatchBlocker | null>`case
    when not ${isSenderApproved} then 'sender_not_approved'
    when not ${isCampaignActive} then 'campaign_not_active'
  end`;

/** For changes that nothing can block. */
export const noBlocker: RawBuilder<BatchBlocker | null> = sql`null::text`;

/** Tells the caller who starts or resumes a batch what blocks it, and how to resolve that. */
export function blockerError(
  blocker: BatchBlocker,
  batch: { sender: string; campaignStatus: string },
): ApiError {
  switch (blocker) {
    case 'sender_not_approved':
      return new ApiError(
        'sender_not_approved',
        `The sender of the batch, ${batch.sender}, is no longer approved for this organization. ` +
          'Have it approved again, or cancel the batch and create one with another sender.',
      );
    case 'campaign_not_active':
      return new ApiError(
        'invalid_state',
        `The campaign of the batch is ${batch.campaignStatus}. Make it active first, or cancel the batch.`,
      );
    case 'contact_list_deleted':
      return new ApiError(
        'invalid_state',
        'The contact list of the batch was deleted. Cancel the batch, and create one with another list.',
      );
    case 'no_recipients':
      return new ApiError('contact_list_empty', 'The contact list has no members. Add members first.');
  }
}
