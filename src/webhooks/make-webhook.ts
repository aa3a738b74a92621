import type { MessageState } from '../messages/message-status.ts';
import type { Environment } from '../principal.ts';
import { makeTimeOrderedId } from '../time-ordered-id.ts';
import type { NewWebhook } from './insert-webhooks.ts';

/** The fields of a message that a webhook contains. */
export interface WebhookSubject extends MessageState {
  id: string;
  organizationId: string;
  environment: Environment;
  sender: string;
  recipient: string;
  segments: number;
  createdAt: Date;
  webhookUrl: string | null;
}

/** The statuses that trigger a webhook, in the order in which a message reaches them. */
const positions = { accepted: 1, sent: 2, delivered: 3, failed: 3 } as const;

/**
 * Creates the webhook for the status that a message has just reached: the envelope of specification section 2. Its
 * `data` is the message at this step. Returns null if the message has no webhook or the status triggers none.
 */
export function makeWebhook(message: WebhookSubject, at: Date): NewWebhook | null {
  const { webhookUrl: url, status } = message;
  if (url === null || status === 'queued' || status === 'cancelled') return null;
  const id = makeTimeOrderedId(at);
  const event = `message.${status}` as const;
  const envelope = {
    id,
    event,
    createdAt: at,
    data: {
      id: message.id,
      organizationId: message.organizationId,
      event,
      status,
      from: message.sender,
      to: message.recipient,
      segments: message.segments,
      providerMessageId: message.providerMessageId,
      errorCode: message.errorCode,
      errorMessage: message.errorMessage,
      createdAt: message.createdAt,
      sentAt: message.sentAt,
      deliveredAt: message.deliveredAt,
      failedAt: message.failedAt,
    },
  };
  return {
    id,
    organizationId: message.organizationId,
    environment: message.environment,
    messageId: message.id,
    event,
    position: positions[status],
    url,
    body: JSON.stringify(envelope),
    createdAt: at,
  };
}
