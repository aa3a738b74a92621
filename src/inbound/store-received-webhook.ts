import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Sql } from '../database.ts';
import type { DispatchRow } from '../dispatches/start-dispatches.ts';
import type { HandledMessage } from './inbound-errors.ts';
import type { LastSent } from './find-last-sent.ts';

/**
 * Stores the webhook for an inbound message, if the message that it replies to has a webhook. The delivery comes after
 * that message's own events and uses its URL and secret. A redriven inbound message is delivered once.
 *
 * @returns the row of the delivery, whose dispatch must be started; null if none was stored
 */
export async function storeReceivedWebhook(
  db: Sql,
  message: HandledMessage,
  answered: LastSent,
  now: Date,
): Promise<DispatchRow | null> {
  const { organizationId, environment, messageId, webhookUrl } = answered;
  if (webhookUrl === null) return null;
  const id = uuidv7();
  const event = 'message.received';
  const body = JSON.stringify({
    id,
    event,
    createdAt: now,
    data: {
      id: message.id,
      organizationId,
      event,
      from: message.sender,
      to: message.recipient,
      text: message.text,
      providerMessageId: message.providerMessageId,
      inReplyToMessageId: messageId,
      receivedAt: message.createdAt,
    },
  });
  // The row is locked, so that two replies to one message get different positions.
  await sql`select from messages where id = ${messageId} for no key update`.execute(db);
  const { rows } = await sql`
    insert into webhook_deliveries (
      id, organization_id, environment, message_id, event, position, url, body, status, created_at, due_at,
      inbound_message_id
    )
    select ${id}, ${organizationId}, ${environment}, ${messageId}, ${event},
      greatest(max(position), ${lastOwnPosition}) + 1, ${webhookUrl}, ${body}, 'pending', ${now}, ${now}, ${message.id}
    from webhook_deliveries where message_id = ${messageId}
    on conflict (inbound_message_id) where inbound_message_id is not null do nothing
    returning id
  `.execute(db);
  return rows.length > 0 ? { id, organizationId } : null;
}

/** The last position of a message's own events: make-webhook.ts. */
const lastOwnPosition = 3;
