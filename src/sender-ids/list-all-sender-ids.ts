import { sql } from 'kysely';
import { sqlOf, type Database } from '../database.ts';
import type { Inputs } from '../http/contract-types.ts';
import { toCursorPage, type CursorPage, type CursorQuery } from '../http/cursor.ts';
import { containing } from '../http/search-pattern.ts';
import { readForReview, type ReviewedSenderIdRecord } from './read-for-review.ts';

/** Lists the sender IDs of all organizations that match all given filters, newest first. For administrators. */
export async function listAllSenderIds(
  database: Database,
  { status, search }: Inputs['listAllSenderIds']['query'],
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
