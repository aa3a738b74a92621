import { queryOptions } from '@tanstack/react-query';
import type { Campaign, ListCampaignsQuery } from 'sms-service-client';
import { sms } from '../../api.ts';
import { numberedListQuery } from '../../records/list-query.ts';

/** What the list can be narrowed to. */
export type CampaignFilters = Pick<ListCampaignsQuery, 'search' | 'status'>;

export const campaignStatuses = ['active', 'paused', 'archived'] as const;

const pageSize = 100;

/** The campaigns that match, newest first. */
export function campaignsQuery(organizationId: string, filters: CampaignFilters) {
  return numberedListQuery<Campaign>([organizationId, 'campaigns', 'list', filters], (paging, options) =>
    sms.campaigns.list({ organizationId, ...filters, ...paging }, options),
  );
}

/** All campaigns, for a choice among them, and to find one by its id: the API has no request for a single one. */
export function allCampaignsQuery(organizationId: string) {
  return queryOptions({
    queryKey: [organizationId, 'campaigns', 'all'],
    queryFn: async ({ signal }) => {
      const campaigns: Campaign[] = [];
      for await (const one of sms.campaigns.list({ organizationId, pageSize }, { signal }))
        campaigns.push(one);
      return campaigns;
    },
    staleTime: 60_000,
  });
}
