import type { Database } from '../database.ts';
import { toCursorPage, type CursorPage } from '../http/cursor.ts';
import { containing } from '../http/search-pattern.ts';
import { selectForReview, toReviewedRecord, type ReviewedSenderIdRecord } from './read-for-review.ts';
import type { SenderIdStatus } from './sender-id.entity.ts';

/** Which sender IDs an administrator requests. All given filters apply. */
export interface SenderIdFilter {
  status?: SenderIdStatus;
  /** Part of the value or of the organization's name. */
  search?: string;
}

/** Lists the sender IDs of all organizations, newest first. For administrators. */
export async function listAllSenderIds(
  database: Database,
  { status, search }: SenderIdFilter,
  page: { limit: number; before: string | null },
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
  return toCursorPage(await senders.execute(), page.limit, toReviewedRecord);
}
