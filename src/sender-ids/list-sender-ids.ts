import type { Principal } from '../principal.ts';
import type { Database } from '../database.ts';
import { toCursorPage, type CursorPage, type CursorQuery } from '../http/cursor.ts';
import { asTenant } from '../organizations/organization-scope.ts';
import { toSenderIdRecord, type SenderIdRecord } from './sender-id-record.ts';
import { SenderId, type SenderIdStatus } from './sender-id.entity.ts';

/** Lists the sender IDs of the caller's organization, newest first. */
export async function listSenderIds(
  database: Database,
  principal: Principal,
  status: SenderIdStatus | undefined,
  page: CursorQuery,
): Promise<CursorPage<SenderIdRecord>> {
  const senders = await asTenant(database, principal, (em) =>
    em.find(
      SenderId,
      { ...(status !== undefined && { status }), ...(page.before && { id: { $lt: page.before } }) },
      { orderBy: { id: 'desc' }, limit: page.limit + 1 },
    ),
  );
  return toCursorPage(senders, page, toSenderIdRecord);
}
