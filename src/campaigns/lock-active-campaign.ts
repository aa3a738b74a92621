import { LockMode } from '@mikro-orm/postgresql';
import { validate } from 'uuid';
import { ApiError, notFound } from '../errors.ts';
import type { ScopedEntityManager } from '../organizations/organization-scope.ts';
import { Campaign } from './campaign.entity.ts';

/** Returns an active campaign. It is neither deleted nor paused before the commit. Errors: not_found, invalid_state. */
export async function lockActiveCampaign(em: ScopedEntityManager, id: string): Promise<Campaign> {
  if (!validate(id)) throw notFound();
  const campaign = await em.findOne(Campaign, { id }, { lockMode: LockMode.PESSIMISTIC_READ });
  if (!campaign) throw notFound();
  if (campaign.status === 'active') return campaign;
  throw new ApiError(
    'invalid_state',
    `The campaign is ${campaign.status}. Make it active before you send a batch.`,
  );
}
