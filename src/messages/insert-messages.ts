import { sql, type RawBuilder } from 'kysely';
import type { Environment } from '../principal.ts';
import type { Columns } from '../recordset.ts';
import { insertEvents } from './insert-events.ts';
import type { MessageErrorCode } from './message-status.ts';

/** A message to insert. Each property that is missing is null, or false. */
export interface NewMessage {
  id: string;
  organizationId: string;
  environment: Environment;
  sender: string;
  recipient: string;
  /** The text that is stored and shown. */
  text: string;
  /** The sealed text that is submitted instead, as base64: the text of a security code (sealer.ts). */
  sealedText?: string;
  encoding: 'gsm7' | 'ucs2';
  segments: number;
  /** Why the message is stored as failed; null if it is to be submitted. */
  errorCode?: MessageErrorCode | null;
  errorMessage?: string | null;
  metadata: Record<string, unknown>;
  webhookUrl: string | null;
  /** The secret that signs its webhooks, sealed for its organization, as base64 (sealer.ts). */
  sealedWebhookSecret?: string;
  createdAt: Date;
  /** The message is not submitted at or after this time. */
  validUntil: Date;
  /** Send the message even to a number that has opted out: it is a security code, which its recipient requested. */
  ignoresSuppression?: boolean;
  /** The inbound message that this message replies to; it gets at most one reply. */
  answersInboundId?: string;
  /** The failed message that this message resends; it is resent at most once. */
  redrivenFrom?: string;
  bulkBatchId?: string;
  /** The dispatch that already contains the message. */
  dispatchId?: string | null;
}

/** The columns of new messages in a statement. Each source of messages has a CTE with these columns. */
export const newMessageColumns: Columns<NewMessage> = {
  id: 'uuid',
  organizationId: 'uuid',
  environment: 'text',
  sender: 'text',
  recipient: 'text',
  text: 'text',
  sealedText: 'text',
  encoding: 'text',
  segments: 'smallint',
  errorCode: 'text',
  errorMessage: 'text',
  metadata: 'json',
  webhookUrl: 'text',
  sealedWebhookSecret: 'text',
  createdAt: 'timestamptz',
  validUntil: 'timestamptz',
  ignoresSuppression: 'boolean',
  answersInboundId: 'uuid',
  redrivenFrom: 'uuid',
  bulkBatchId: 'uuid',
  dispatchId: 'uuid',
};

/**
 * The CTEs `stored` and `noted`: they insert messages and the first entries of their timelines. Every message is stored
 * by this statement. A message without an error code is queued and due at once; the others are failed.
 *
 * `stored` has id, organization_id, sender, status, error_code, created_at and redriven_from of the inserted messages.
 *
 * @param drafts the rest of a statement after `from`: a CTE with the columns of `newMessageColumns`
 * @param options.sender the sender, if the drafts have it in another column
 * @param options.skipRedriven whether messages that were already redriven are left out; otherwise they are an error
 */
export function insertMessages(
  drafts: RawBuilder<unknown>,
  options: { sender?: RawBuilder<string>; skipRedriven?: boolean } = {},
): RawBuilder<unknown> {
  const { sender = sql`sender`, skipRedriven = false } = options;
  return sql`stored as (
      insert into messages (
        id, organization_id, environment, sender, recipient, text, sealed_text, one_time_text, encoding, segments,
        status, error_code, error_message, metadata, webhook_url, sealed_webhook_secret, created_at,
        failed_at, valid_until, due_at, dispatch_id, ignores_suppression, answers_inbound_id, redriven_from, bulk_batch_id
      )
      select id, "organizationId", environment, ${sender}, recipient, text, decode("sealedText", 'base64'),
        "sealedText" is not null, encoding, segments, case when "errorCode" is null then 'queued' else 'failed' end,
        "errorCode", "errorMessage", metadata, "webhookUrl", decode("sealedWebhookSecret", 'base64'),
        "createdAt", case when "errorCode" is not null then "createdAt" end, "validUntil",
        case when "errorCode" is null then "createdAt" end, "dispatchId", "ignoresSuppression" is true,
        "answersInboundId", "redrivenFrom", "bulkBatchId"
      from ${drafts}
      ${skipRedriven ? sql`on conflict (redriven_from) where redriven_from is not null do nothing` : sql``}
      returning id, organization_id, sender, status, error_code, created_at, redriven_from
    ), noted as (
      ${insertEvents(sql`
        select organization_id, id, created_at, case when error_code is null then 'queued' else 'refused' end, status,
          case when error_code is null then '{}' else jsonb_build_object('errorCode', error_code) end
        from stored
      `)}
      returning message_id
    )`;
}
