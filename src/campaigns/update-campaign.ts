import { LockMode } from '@mikro-orm/postgresql';
import type { Principal } from '../principal.ts';
import type { Database } from '../database.ts';
import { ApiError, notFound } from '../errors.ts';
import type { Schemas } from '../http/contract/contract-types.ts';
import { asTenant } from '../organizations/organization-scope.ts';
import { readSender } from '../sender-ids/permitted-sender.ts';
import { normalizeSender } from '../sender-ids/sender-value.ts';
import { toCampaignRecords, type CampaignRecord } from './campaign-record.ts';
import { statusesAfterChange } from './campaign-status.ts';
import { Campaign } from './campaign.entity.ts';

/**
 * Changes a campaign; optional fields that the input leaves out stay as they are. Name and description may change in
 * every status. An input with the stored values changes nothing, so archiving twice has the same effect as archiving
 * once. Batches that are being sent continue, whatever the status becomes. Errors: not_found, invalid_state,
 * sender_not_approved.
 */
export async function updateCampaign(
  database: Database,
  principal: Principal,
  id: string,
  input: Schemas['CampaignInput'],
): Promise<CampaignRecord> {
  return asTenant(database, principal, async (em) => {
    const campaign = await em.findOne(Campaign, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!campaign) throw notFound();
    const change = {
      name: input.name,
      description: input.description === undefined ? campaign.description : input.description,
      sender: input.sender ? normalizeSender(input.sender) : input.sender === null ? null : campaign.sender,
      status: input.status ?? campaign.status,
    };
    const isChanged = (field: keyof typeof change) => campaign[field] !== change[field];
    if (isChanged('sender') || isChanged('status')) {
      const allowed = statusesAfterChange[campaign.status];
      if (!allowed.includes(change.status)) {
        throw new ApiError(
          'invalid_state',
          `The campaign is ${campaign.status}. To change its sender, also set its status to ${allowed.join(' or ')}.`,
        );
      }
    }
    if (isChanged('sender')) await readSender(em.getKysely(), principal, change.sender);
    if (isChanged('name') || isChanged('description') || isChanged('sender') || isChanged('status')) {
      em.assign(campaign, { ...change, updatedAt: new Date() });
    }
    const [record] = await toCampaignRecords(em, [campaign]);
    return record!;
  });
}
