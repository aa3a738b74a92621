import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Sql } from '../database.ts';
import type { DispatchRow } from '../dispatches/start-dispatches.ts';
import { insertWebhooks } from '../webhooks/insert-webhooks.ts';
import type { LastSent } from '../messages/find-last-sent.ts';
import { lockMessage } from '../messages/lock-message.ts';
import type { HandledMessage } from './handled-message.ts';

/**
 * Stores the webhook for an inbound message, if the message that it replies to has a webhook. The delivery comes after
 * that message's own events and uses its URL and secret. A redriven inbound message is delivered once.
 *
 * @returns the row of the delivery, whose dispatch must be started; null if none was stored
 */
export async function storeReceivedWebhook(
  db: Sql,
  message: HandledMessage,
  repliedTo: LastSent,
  now: Date,
): Promise<DispatchRow | null> {
  const { organizationId, environment, messageId, webhookUrl } = repliedTo;
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
  // Two replies to one message get different positions.
  await lockMessage(db, messageId);
  const { rows } = await sql`
    ${insertWebhooks([
      {
        id,
        organizationId,
        environment,
        messageId,
        event,
        position: null,
        url: webhookUrl,
        body,
        createdAt: now,
        inboundMessageId: message.id,
      },
    ])}
    on conflict (inbound_message_id) where inbound_message_id is not null do nothing
    returning id
  `.execute(db);
  return rows.length > 0 ? { id, organizationId } : null;
}
