import type { Principal } from '../../principal.ts';
import type { Database } from '../../database.ts';
import { notFound } from '../../errors.ts';
import { asTenant } from '../../organizations/organization-scope.ts';
import { InboundKeyword } from './inbound-keyword.entity.ts';

/** Deletes a keyword rule. The messages that it has replied to stay. Errors: not_found. */
export async function deleteKeyword(database: Database, principal: Principal, id: string): Promise<void> {
  const count = await asTenant(database, principal, (em) => em.nativeDelete(InboundKeyword, { id }));
  if (count === 0) throw notFound();
}
