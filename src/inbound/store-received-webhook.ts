import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Sql } from '../database.ts';
import type { DispatchRow } from '../dispatches/start-dispatches.ts';
import type { HandledMessage } from './inbound-errors.ts';
import type { LastSent } from './find-last-sent.ts';

/**
 * Stores the webhook that tells of a message from a phone, where the message that it answers has one: a line after
 * those of that message's own events, with its URL and secret. A redriven message is told of once.
 *
 * @returns the delivery's row, for its dispatch to be started; null when none was stored
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
  // Locked, so that of two that answer one message each gets a place of its own.
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

/** The last place of a message's own events: make-webhook.ts. */
const lastOwnPosition = 3;
