import { sql } from 'kysely';
import { sqlOf, type Database } from '../database.ts';
import { toCursorPage, type CursorPage } from '../http/cursor.ts';
import {
  selectInboundMessages,
  toCondition,
  toInboundMessageRecord,
  type InboundMessageRecord,
  type InboundQuery,
} from './inbound-message-record.ts';

/** Lists the inbound messages that belong to no organization, newest first. For administrators. */
export async function listUnroutedMessages(
  database: Database,
  query: InboundQuery,
): Promise<CursorPage<InboundMessageRecord>> {
  const condition = sql`inbound.organization_id is null and ${toCondition(query)}`;
  const { rows } = await selectInboundMessages(condition, query).execute(sqlOf(database));
  return toCursorPage(rows, query, toInboundMessageRecord);
}
