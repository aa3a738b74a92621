import { ApiError } from '../errors.ts';
import type { ScopedEntityManager } from '../organizations/organization-scope.ts';
import { SenderId } from '../sender-ids/sender-id.entity.ts';
import { normalizeSender } from '../sender-ids/sender-value.ts';
import type { CampaignStatus } from './campaign-status.ts';

/** The body by which a campaign is made or changed, already held against openapi.yaml. */
export interface CampaignInput {
  name: string;
  description?: string | null;
  sender?: string | null;
  status?: CampaignStatus;
}

/**
 * Reads the sender of a campaign, if one is named.
 *
 * @returns the sender in the form in which it was approved
 * @throws ApiError sender_not_approved unless the organization may send under it
 */
export async function readSender(em: ScopedEntityManager, given: string | null): Promise<string | null> {
  if (given === null) return null;
  const sender = normalizeSender(given);
  if ((await em.count(SenderId, { value: sender, status: 'approved' })) > 0) return sender;
  throw new ApiError('sender_not_approved', 'The sender is not approved for this organization.', {
    errors: [{ path: '/body/sender', code: 'sender_not_approved', message: 'is not an approved sender' }],
  });
}
