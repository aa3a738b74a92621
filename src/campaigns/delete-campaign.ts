import { LockMode } from '@mikro-orm/postgresql';
import type { Principal } from '../principal.ts';
import { countCampaignUsage } from '../bulk-sms/count-campaign-usage.ts';
import type { Database } from '../database.ts';
import { ApiError, notFound } from '../errors.ts';
import { asTenant } from '../organizations/organization-scope.ts';
import { Campaign } from './campaign.entity.ts';

/** Deletes a campaign without batches. Errors: not_found, invalid_state. */
export async function deleteCampaign(database: Database, principal: Principal, id: string): Promise<void> {
  await asTenant(database, principal, async (em) => {
    // Locked, so that no batch is created in it between the count and the commit.
    const campaign = await em.findOne(Campaign, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!campaign) throw notFound();
    const { batches } = (await countCampaignUsage(em, [id])).get(id)!;
    if (batches > 0) {
      throw new ApiError('invalid_state', `The campaign has ${batches} bulk SMS. Archive it instead.`);
    }
    em.remove(campaign);
  });
}
