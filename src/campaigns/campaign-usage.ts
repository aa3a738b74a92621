import { sql } from 'kysely';
import type { ScopedEntityManager } from '../organizations/organization-scope.ts';

/** The usage of a campaign. */
export interface CampaignUsage {
  batches: number;
  messages: number;
}

/** Counts the usage of each of these campaigns: its batches, and the messages that the batches have created. */
export async function countUsage(
  em: ScopedEntityManager,
  campaignIds: string[],
): Promise<Map<string, CampaignUsage>> {
  const { rows } = await sql<CampaignUsage & { id: string }>`
    select campaign.id, count(bulk_batches.id)::int as batches,
      coalesce(sum(next_position - 1), 0)::int as messages
    from unnest(${campaignIds}::uuid[]) campaign (id)
    left join bulk_batches on bulk_batches.campaign_id = campaign.id
    group by campaign.id
  `.execute(em.getKysely());
  return new Map(rows.map(({ id, batches, messages }) => [id, { batches, messages }]));
}
