import { ApiError } from '../errors.ts';
import type { ScopedEntityManager } from '../organizations/organization-scope.ts';
import { SenderId } from '../sender-ids/sender-id.entity.ts';
import type { CampaignStatus } from './campaign-status.ts';

/** The body by which a campaign is made or changed, already held against openapi.yaml. */
export interface CampaignInput {
  name: string;
  description?: string | null;
  sender?: string | null;
  status?: CampaignStatus;
}

/** @throws ApiError sender_not_approved unless the organization may send under the sender, or none is named */
export async function checkSender(em: ScopedEntityManager, sender: string | null | undefined): Promise<void> {
  if (sender === null || sender === undefined) return;
  if ((await em.count(SenderId, { value: sender, status: 'approved' })) > 0) return;
  throw new ApiError('sender_not_approved', 'The sender is not approved for this organization.', {
    errors: [{ path: '/body/sender', code: 'sender_not_approved', message: 'is not an approved sender' }],
  });
}
