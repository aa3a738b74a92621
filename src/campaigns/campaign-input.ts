import type { CampaignStatus } from './campaign-status.ts';

/** The body by which a campaign is made or changed, already held against openapi.yaml. */
export interface CampaignInput {
  name: string;
  description?: string | null;
  sender?: string | null;
  status?: CampaignStatus;
}
