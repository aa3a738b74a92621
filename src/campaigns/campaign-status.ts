export const campaignStatuses = ['active', 'paused', 'archived'] as const;

export type CampaignStatus = (typeof campaignStatuses)[number];

/**
 * The statuses in which a change may leave a campaign that has this one. What is archived is kept as it was, so
 * a change of it must take it out of the archive; going on at once, or paused first, is the caller's choice.
 */
export const statusesAfterChange: Record<CampaignStatus, readonly CampaignStatus[]> = {
  active: ['active', 'paused', 'archived'],
  paused: ['active', 'paused', 'archived'],
  archived: ['active', 'paused'],
};
