import { sql, type RawBuilder } from 'kysely';
import type { Environment } from '../principal.ts';
import { recordset, type Columns } from '../recordset.ts';
import type { WebhookEvent } from './webhook-delivery.entity.ts';

/** A row of webhook_deliveries before it is stored. */
export interface NewWebhook {
  id: string;
  organizationId: string;
  environment: Environment;
  messageId: string;
  event: WebhookEvent;
  /** The place among the events of the message; null: after all others. */
  position: number | null;
  url: string;
  body: string;
  createdAt: Date;
  /** The inbound message that the event reports; it is reported at most once. */
  inboundMessageId?: string;
}

const columns: Columns<NewWebhook> = {
  id: 'uuid',
  organizationId: 'uuid',
  environment: 'text',
  messageId: 'uuid',
  event: 'text',
  position: 'smallint',
  url: 'text',
  body: 'text',
  createdAt: 'timestamptz',
  inboundMessageId: 'uuid',
};

/** The last position of the events that the status of a message triggers: make-webhook.ts. */
const lastStatusPosition = 3;

/**
 * The statement that inserts webhook deliveries, due at once. It may be part of another statement, or be followed by
 * `on conflict` and `returning`. The caller starts the dispatch of the rows after the commit.
 *
 * If two callers may insert a delivery without a position for one message, they hold a lock on the message.
 */
export function insertWebhooks(webhooks: NewWebhook[]): RawBuilder<unknown> {
  // Without the subquery, planning the statement takes noticeably less time.
  const position = webhooks.some((webhook) => webhook.position === null) ? positionOrNext : sql`position`;
  return sql`
    insert into webhook_deliveries (
      id, organization_id, environment, message_id, event, position, url, body, status, created_at, due_at,
      inbound_message_id
    )
    select id, "organizationId", environment, "messageId", event, ${position}, url, body, 'pending', "createdAt",
      "createdAt", "inboundMessageId"
    from ${recordset(webhooks, 'webhook', columns)}`;
}

const positionOrNext = sql`coalesce(position, (
  select greatest(max(earlier.position), ${lastStatusPosition}) + 1
  from webhook_deliveries earlier where message_id = "messageId"
))`;
