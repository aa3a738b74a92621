import type { Principal } from '../principal.ts';
import type { Database } from '../database.ts';
import type { Inputs } from '../http/contract/contract-types.ts';
import { toNumberedPage, type NumberedPage } from '../http/page.ts';
import { containing } from '../http/search-pattern.ts';
import { asTenant } from '../organizations/organization-scope.ts';
import { toCampaignRecords, type CampaignRecord } from './campaign-record.ts';
import { Campaign } from './campaign.entity.ts';

/** Lists the campaigns of the caller's organization that match all given filters, newest first. */
export async function listCampaigns(
  database: Database,
  principal: Principal,
  { status, search }: Inputs['listCampaigns']['query'],
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
