import { v7 as uuidv7 } from 'uuid';
import type { Principal } from '../principal.ts';
import type { Database } from '../database.ts';
import type { Schemas } from '../http/contract/contract-types.ts';
import { asTenant } from '../organizations/organization-scope.ts';
import { readSender } from '../sender-ids/permitted-sender.ts';
import { toCampaignRecords, type CampaignRecord } from './campaign-record.ts';
import { Campaign } from './campaign.entity.ts';

/** Creates a campaign of the caller's organization. Errors: sender_not_approved. */
export async function createCampaign(
  database: Database,
  principal: Principal,
  { name, description, sender, status = 'active' }: Schemas['CampaignInput'],
): Promise<CampaignRecord> {
  const now = new Date();
  return asTenant(database, principal, async (em) => {
    const campaign = em.create(Campaign, {
      id: uuidv7(),
      organization: principal.organizationId,
      name,
      description: description ?? null,
      sender: await readSender(em.getKysely(), principal, sender ?? null),
      status,
      createdAt: now,
      updatedAt: now,
    });
    const [record] = await toCampaignRecords(em, [campaign]);
    return record!;
  });
}
