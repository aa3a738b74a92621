import { sql } from 'kysely';
import { requireCampaign } from '../campaigns/require-campaign.ts';
import type { Principal } from '../principal.ts';
import type { Database } from '../database.ts';
import type { Schemas } from '../http/contract/contract-types.ts';
import { countSegments } from '../messages/segments.ts';
import { asTenant } from '../organizations/organization-scope.ts';
import { countMembers } from '../phonebooks/count-members.ts';
import { parseMergeFields, renderMergeFields, type MergeValues } from '../templates/merge-fields.ts';
import { checkText } from './create-bulk-batch.ts';
import { contactsOf, recipientRefusal, usedFields } from './run-batch/freeze-recipients.ts';
import { findTextError } from './run-batch/make-chunk.ts';

/** The result that a batch would have if it started now. */
type BulkEstimate = Schemas['BulkSmsEstimate'];

/** The maximum number of distinct sets of field values in one page; each set renders one text. */
const rowsPerPage = 5000;

/**
 * Estimates the result of a batch; nothing is stored. Recipients with the same values of the fields that the text
 * uses get the same text, so each distinct text is rendered and counted once.
 *
 * Errors: invalid_request, not_found for campaign or phonebook.
 */
export async function estimateBulkSms(
  database: Database,
  principal: Principal,
  input: Schemas['BulkSmsEstimateInput'],
): Promise<BulkEstimate> {
  checkText(input.text);
  return asTenant(database, principal, async (em) => {
    await countMembers(em, input.contactListId);
    if (input.campaignId !== undefined) await requireCampaign(em, input.campaignId);
    const estimate: BulkEstimate = {
      recipients: 0,
      refused: { optedOut: 0, duplicates: 0, invalid: 0 },
      unsendableTexts: 0,
      messages: 0,
      segments: 0,
      encodings: { gsm7: 0, ucs2: 0 },
      longestSegments: 0,
    };
    const parsed = parseMergeFields(input.text);
    const db = em.getKysely();
    // A cursor keeps the snapshot of one statement, while Node holds one page of it in memory.
    await sql`declare recipient_groups no scroll cursor for
      select fields, refusal, count(*)::int as count
      from (
        select ${usedFields(input.text)} as fields, ${recipientRefusal} as refusal
        from ${contactsOf(input.contactListId)}
      ) recipient group by 1, 2
    `.execute(db);
    for (;;) {
      const { rows } = await sql<RecipientGroup>`fetch ${sql.lit(rowsPerPage)} from recipient_groups`.execute(
        db,
      );
      for (const group of rows) {
        addGroup(estimate, group, () => renderMergeFields(parsed, group.fields ?? {}));
      }
      if (rows.length < rowsPerPage) return estimate;
    }
  });
}

interface RecipientGroup {
  fields: MergeValues | null;
  refusal: keyof typeof refusalNames | null;
  count: number;
}

const refusalNames = {
  recipient_opted_out: 'optedOut',
  duplicate_recipient: 'duplicates',
  invalid_recipient: 'invalid',
} as const;

function addGroup(estimate: BulkEstimate, { refusal, count }: RecipientGroup, render: () => string): void {
  estimate.recipients += count;
  if (refusal !== null) {
    estimate.refused[refusalNames[refusal]] += count;
    return;
  }
  const text = render();
  if (findTextError(text) !== null) {
    estimate.unsendableTexts += count;
    return;
  }
  const { encoding, segments } = countSegments(text);
  estimate.messages += count;
  estimate.segments += segments * count;
  estimate.encodings[encoding] += count;
  estimate.longestSegments = Math.max(estimate.longestSegments, segments);
}
