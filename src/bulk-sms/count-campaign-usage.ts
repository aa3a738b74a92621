import { tablesOf } from '../database.ts';
import type { ScopedEntityManager } from '../organizations/organization-scope.ts';
import type { BulkBatch } from './bulk-batch.entity.ts';

/** The usage of a campaign. */
export interface CampaignUsage {
  batches: number;
  messages: number;
}

/** Counts the usage of each of these campaigns: its batches, and the messages that the batches have created. */
export async function countCampaignUsage(
  em: ScopedEntityManager,
  campaignIds: string[],
): Promise<Map<string, CampaignUsage>> {
  const usage = new Map(campaignIds.map((id) => [id, { batches: 0, messages: 0 }]));
  if (campaignIds.length === 0) return usage;
  const used = await tablesOf<typeof BulkBatch>(em)
    .selectFrom('BulkBatch')
    .select('campaign')
    .select(({ fn, eb }) => [fn.countAll().as('batches'), fn.sum(eb('nextPosition', '-', 1)).as('messages')])
    .where('campaign', 'in', campaignIds)
    .groupBy('campaign')
    .execute();
  for (const { campaign, batches, messages } of used) {
    usage.set(campaign, { batches: Number(batches), messages: Number(messages) });
  }
  return usage;
}
