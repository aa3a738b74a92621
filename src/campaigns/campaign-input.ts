import type { CampaignStatus } from './campaign-status.ts';

/** The body that creates or changes a campaign, already validated against openapi.yaml. */
export interface CampaignInput {
  name: string;
  description?: string | null;
  sender?: string | null;
  status?: CampaignStatus;
}
