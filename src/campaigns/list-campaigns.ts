import type { Principal } from '../principal.ts';
import type { Database } from '../database.ts';
import { toNumberedPage, type NumberedPage } from '../http/page.ts';
import { containing } from '../http/search-pattern.ts';
import { asTenant } from '../organizations/organization-scope.ts';
import { toCampaignRecords, type CampaignRecord } from './campaign-record.ts';
import type { CampaignStatus } from './campaign-status.ts';
import { Campaign } from './campaign.entity.ts';

/** Which campaigns a list shows; they match all given filters. */
export interface CampaignFilter {
  status?: CampaignStatus;
  /** Part of the name or of the description, in any case. */
  search?: string;
}

/** Lists the campaigns of the caller's organization, newest first. */
export async function listCampaigns(
  database: Database,
  principal: Principal,
  { status, search }: CampaignFilter,
  page: { page: number; pageSize: number; offset: number },
): Promise<NumberedPage<CampaignRecord>> {
  const pattern = search === undefined ? null : { $ilike: containing(search) };
  return asTenant(database, principal, async (em) => {
    const [campaigns, total] = await em.findAndCount(
      Campaign,
      {
        ...(status !== undefined && { status }),
        ...(pattern && { $or: [{ name: pattern }, { description: pattern }] }),
      },
      { orderBy: { id: 'desc' }, limit: page.pageSize, offset: page.offset },
    );
    return toNumberedPage(await toCampaignRecords(em, campaigns), total, page);
  });
}
