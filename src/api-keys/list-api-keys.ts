import type { Principal } from '../principal.ts';
import type { Database } from '../database.ts';
import { toCursorPage, type CursorPage, type CursorQuery } from '../http/cursor.ts';
import { asTenant } from '../organizations/organization-scope.ts';
import { toApiKeyRecord, type ApiKeyRecord } from './api-key-record.ts';
import { ApiKey } from './api-key.entity.ts';

/** Lists the keys of the caller's organization, newest first, including revoked ones. */
export async function listApiKeys(
  database: Database,
  principal: Principal,
  page: CursorQuery,
): Promise<CursorPage<ApiKeyRecord>> {
  const keys = await asTenant(database, principal, (em) =>
    em.find(ApiKey, page.before ? { id: { $lt: page.before } } : {}, {
      orderBy: { id: 'desc' },
      limit: page.limit + 1,
    }),
  );
  return toCursorPage(keys, page, toApiKeyRecord);
}
