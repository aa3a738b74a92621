import { sql, type RawBuilder } from 'kysely';
import { workflowIdOf } from '../../workflows/contract.ts';
import type { CursorQuery } from '../http/cursor.ts';
import type { Inputs, Schemas } from '../http/contract/contract-types.ts';
import { toIsoTime } from '../stored-rows.ts';

/** An inbound message as lists and responses show it. */
export type InboundMessageRecord = Schemas['InboundMessage'];

/** The columns from which the record is built; times as PostgreSQL writes them. */
export interface InboundMessageRow extends Omit<InboundMessageRecord, 'workflowId'> {
  dispatchId: string | null;
}

/** Which messages to list, and how many. */
export type InboundQuery = Pick<Inputs['listInboundMessages']['query'], 'status'> & CursorQuery;

/**
 * Selects the newest messages that satisfy a condition, one more than the limit.
 *
 * @param condition on a row of inbound_messages, aliased `inbound`
 */
export function selectInboundMessages(
  condition: RawBuilder<unknown>,
  { limit }: { limit: number },
): RawBuilder<InboundMessageRow> {
  return sql<InboundMessageRow>`
    select inbound.id, inbound.organization_id as "organizationId", inbound.sender as "from",
      inbound.recipient as "to", inbound.text, inbound.status, matched, keyword_id as "keywordId",
      reply.id as "replyMessageId", in_reply_to_message_id as "inReplyToMessageId",
      inbound.error_code as "errorCode", inbound.error_message as "errorMessage", smsc_id as "smscId",
      inbound.provider_message_id as "providerMessageId", inbound.dispatch_id as "dispatchId",
      inbound.created_at as "receivedAt", processed_at as "processedAt"
    from (
      select * from inbound_messages inbound where ${condition} order by inbound.id desc limit ${limit + 1}
    ) inbound
    left join messages reply on reply.answers_inbound_id = inbound.id
    order by inbound.id desc
  `;
}

/** Returns the conditions of a list, except the condition on the organization. */
export function toCondition(query: Pick<InboundQuery, 'status' | 'before'>): RawBuilder<unknown> {
  const { status, before } = query;
  return sql.join(
    [
      sql`true`,
      ...(status === undefined ? [] : [sql`inbound.status = ${status}`]),
      ...(before === null ? [] : [sql`inbound.id < ${before}`]),
    ],
    sql` and `,
  );
}

export function toInboundMessageRecord({ dispatchId, ...row }: InboundMessageRow): InboundMessageRecord {
  return {
    ...row,
    workflowId: dispatchId && workflowIdOf('inbound', dispatchId),
    receivedAt: toIsoTime(row.receivedAt),
    processedAt: toIsoTime(row.processedAt),
  };
}
