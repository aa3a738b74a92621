import { countCampaignUsage } from '../bulk-sms/count-campaign-usage.ts';
import type { Schemas } from '../http/contract/contract-types.ts';
import type { ScopedEntityManager } from '../organizations/organization-scope.ts';
import type { Campaign } from './campaign.entity.ts';

/** A campaign as the API returns it. */
export type CampaignRecord = Schemas['Campaign'];

/** Creates the records of campaigns, in the given order, with the usage of each campaign. */
export async function toCampaignRecords(
  em: ScopedEntityManager,
  campaigns: Campaign[],
): Promise<CampaignRecord[]> {
  const usage = await countCampaignUsage(
    em,
    campaigns.map(({ id }) => id),
  );
  return campaigns.map((campaign) => {
    const { id, name, description, sender, status, createdAt, updatedAt } = campaign;
    return {
      id,
      organizationId: campaign.organization.id,
      name,
      description,
      sender,
      status,
      ...usage.get(id)!,
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
    };
  });
}
