import { sql, type RawBuilder } from 'kysely';
import type { Principal } from '../principal.ts';
import type { Database } from '../database.ts';
import { toCursorPage, type CursorPage, type CursorQuery } from '../http/cursor.ts';
import { asTenant } from '../organizations/organization-scope.ts';
import {
  selectInboundMessages,
  toCondition,
  toInboundMessageRecord,
  type InboundMessageRecord,
  type InboundMessageRow,
} from './inbound-message-record.ts';

/** Lists the latest message of each phone to each number of the caller's organization, newest first. */
export async function listConversations(
  database: Database,
  principal: Principal,
  page: CursorQuery,
): Promise<CursorPage<InboundMessageRecord>> {
  const { rows } = await asTenant(database, principal, (em) =>
    selectConversations(principal.organizationId, page).execute(em.getKysely<unknown>()),
  );
  return toCursorPage(rows, page, toInboundMessageRecord);
}

/**
 * Returns the statement for a page. One probe of the index of conversations decides whether a message is the latest one,
 * so a page reads the messages since its last conversation, and none that are older.
 *
 * The probe is a scalar subquery, which the planner cannot turn into a join with all messages of the organization.
 */
export function selectConversations(
  organizationId: string,
  page: Pick<CursorQuery, 'before' | 'limit'>,
): RawBuilder<InboundMessageRow> {
  const condition = sql`inbound.organization_id = ${organizationId} and ${toCondition(page)} and inbound.id = (
    select latest.id from inbound_messages latest
    where (latest.organization_id, latest.sender, latest.recipient) =
      (${organizationId}::uuid, inbound.sender, inbound.recipient)
    order by latest.organization_id desc, latest.sender desc, latest.recipient desc, latest.id desc limit 1
  )`;
  return selectInboundMessages(condition, page);
}
