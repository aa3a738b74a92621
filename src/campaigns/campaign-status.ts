import type { Schemas } from '../http/contract/contract-types.ts';

export const campaignStatuses = [
  'active',
  'paused',
  'archived',
] as const satisfies Schemas['CampaignStatus'][];

export type CampaignStatus = (typeof campaignStatuses)[number];

/**
 * For each status of a campaign, the statuses it may have after a change of its sender or status. An archived
 * campaign keeps its sender, so a change of this kind takes it out of the archive; the caller chooses whether it
 * becomes active or paused.
 */
export const statusesAfterChange: Record<CampaignStatus, readonly CampaignStatus[]> = {
  active: ['active', 'paused', 'archived'],
  paused: ['active', 'paused', 'archived'],
  archived: ['active', 'paused'],
};
