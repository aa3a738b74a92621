export const campaignStatuses = ['active', 'paused', 'archived'] as const;

export type CampaignStatus = (typeof campaignStatuses)[number];

/**
 * The statuses in which a change of sender or status may leave a campaign that has this one. The sender of what is
 * archived is kept, so such a change takes the campaign out of the archive; going on at once, or paused first, is the
 * caller's choice.
 */
export const statusesAfterChange: Record<CampaignStatus, readonly CampaignStatus[]> = {
  active: ['active', 'paused', 'archived'],
  paused: ['active', 'paused', 'archived'],
  archived: ['active', 'paused'],
};
