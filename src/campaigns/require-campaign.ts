import { validate } from 'uuid';
import { notFound } from '../errors.ts';
import type { ScopedEntityManager } from '../organizations/organization-scope.ts';
import { Campaign } from './campaign.entity.ts';

/** Checks that the organization has the campaign. Errors: not_found. */
export async function requireCampaign(em: ScopedEntityManager, id: string): Promise<void> {
  if (!validate(id) || (await em.count(Campaign, { id })) === 0) throw notFound();
}
