import { sql } from 'kysely';
import type { Principal } from '../principal.ts';
import type { Database } from '../database.ts';
import { toCursorPage, type CursorPage } from '../http/cursor.ts';
import { asTenant } from '../organizations/organization-scope.ts';
import {
  selectInboundMessages,
  toCondition,
  toInboundMessageRecord,
  type InboundMessageRecord,
  type InboundQuery,
} from './inbound-message-record.ts';

/**
 * Lists the inbound messages of the caller's organization, newest first. They come from phones, so they have no
 * environment: live keys and test keys see them.
 */
export async function listInboundMessages(
  database: Database,
  principal: Principal,
  query: InboundQuery,
): Promise<CursorPage<InboundMessageRecord>> {
  const condition = sql`inbound.organization_id = ${principal.organizationId} and ${toCondition(query)}`;
  const { rows } = await asTenant(database, principal, (em) =>
    selectInboundMessages(condition, query).execute(em.getKysely<unknown>()),
  );
  return toCursorPage(rows, query, toInboundMessageRecord);
}
