import { sql } from 'kysely';
import { sqlOf, type Database } from '../database.ts';
import { toCursorPage, type CursorPage, type CursorQuery } from '../http/cursor.ts';
import { containing } from '../http/search-pattern.ts';
import { readForReview, type ReviewedSenderIdRecord } from './read-for-review.ts';
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
  page: CursorQuery,
): Promise<CursorPage<ReviewedSenderIdRecord>> {
  const conditions = [
    sql`true`,
    ...(status === undefined ? [] : [sql`status = ${status}`]),
    ...(search === undefined
      ? []
      : [sql`(value ilike ${containing(search)} or organizations.name ilike ${containing(search)})`]),
    ...(page.before === null ? [] : [sql`sender_ids.id < ${page.before}`]),
  ];
  const records = await readForReview(sqlOf(database), sql.join(conditions, sql` and `), page.limit + 1);
  return toCursorPage(records, page, (record) => record);
}
