import type { Principal } from '../../principal.ts';
import type { Database } from '../../database.ts';
import { toCursorPage, type CursorPage, type CursorQuery } from '../../http/cursor.ts';
import { asTenant } from '../../organizations/organization-scope.ts';
import { InboundKeyword } from './inbound-keyword.entity.ts';
import { toKeywordRecord, type KeywordRecord } from './keyword-record.ts';

/** Lists the keyword rules of the caller's organization, newest first. */
export async function listKeywords(
  database: Database,
  principal: Principal,
  page: CursorQuery,
): Promise<CursorPage<KeywordRecord>> {
  const found = await asTenant(database, principal, (em) =>
    em.find(InboundKeyword, page.before === null ? {} : { id: { $lt: page.before } }, {
      orderBy: { id: 'desc' },
      limit: page.limit + 1,
    }),
  );
  return toCursorPage(found, page, toKeywordRecord);
}
