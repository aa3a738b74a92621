import { useQuery } from '@tanstack/react-query';
import type { Campaign } from 'sms-service-client';
import { useOrganization } from '../../organizations/organization.ts';
import { senderIdsQuery } from '../../sender-ids/sender-ids.ts';

/**
 * The sender of a batch: that of its campaign, else the default of the organization.
 *
 * @param campaign undefined for a new one, which has no sender of its own
 * @returns null if there is no such sender, and undefined as long as that is not known
 */
export function useSenderOf(campaign: Campaign | undefined): string | null | undefined {
  const { organizationId } = useOrganization();
  const { data } = useQuery(senderIdsQuery(organizationId));
  if (campaign?.sender) return campaign.sender;
  if (data === undefined) return undefined;
  return data.data.find(({ isDefault, status }) => isDefault && status === 'approved')?.value ?? null;
}
