import type { BulkSmsInput } from 'sms-service-client';
import { parseMergeFields } from '../../../../../src/templates/merge-fields.ts';

/** What the wizard holds. Its names are those of the API, so that what it refuses is shown at the field. */
export interface BatchValues {
  contactListId: string;
  /** `newCampaign` for one that is created with the batch. */
  campaignId: string;
  campaignName: string;
  text: string;
  when: 'now' | 'later';
  /** In the reader's zone, as the browser's field for times writes it. */
  scheduledAt: string;
}

/** Stands for a campaign that does not exist yet: a choice cannot have an empty value. */
export const newCampaign = 'new';

/** Whether every merge field of a text can be filled in. The API refuses the others. */
export function hasOnlyKnownFields(text: string): boolean {
  return parseMergeFields(text).problemCount === 0;
}

/** What the API gets for the values of the wizard. */
export function toBatchInput(values: BatchValues, campaignId: string, organizationId: string): BulkSmsInput {
  const { contactListId, text, when, scheduledAt } = values;
  return {
    ...{ organizationId, contactListId, campaignId, text },
    ...(when === 'later' && { scheduledAt: new Date(scheduledAt).toISOString() }),
  };
}
