import type { Database } from '../database.ts';
import type { Inputs } from '../http/contract/contract-types.ts';
import { toCursorPage, type CursorPage, type CursorQuery } from '../http/cursor.ts';
import { containing } from '../http/search-pattern.ts';
import { selectForReview, toReviewedRecord, type ReviewedSenderIdRecord } from './read-for-review.ts';

/** Lists the sender IDs of all organizations that match all given filters, newest first. For administrators. */
export async function listAllSenderIds(
  database: Database,
  { status, search }: Inputs['listAllSenderIds']['query'],
  page: CursorQuery,
): Promise<CursorPage<ReviewedSenderIdRecord>> {
  let senders = selectForReview(database.em).limit(page.limit + 1);
  if (status !== undefined) senders = senders.where('SenderId.status', '=', status);
  if (search !== undefined) {
    const pattern = containing(search);
    senders = senders.where((sender) =>
      sender.or([sender('SenderId.value', 'ilike', pattern), sender('Organization.name', 'ilike', pattern)]),
    );
  }
  if (page.before !== null) senders = senders.where('SenderId.id', '<', page.before);
  return toCursorPage(await senders.execute(), page, toReviewedRecord);
}
