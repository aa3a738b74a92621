import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { Schemas } from '../http/contract/contract-types.ts';
import { Message } from '../messages/message.entity.ts';
import { Organization } from '../organizations/organization.entity.ts';
import { ofOrganizationAndEnvironment } from '../organizations/organization-scope.ts';
import { environments } from '../principal.ts';

export const webhookEvents = [
  'message.accepted',
  'message.sent',
  'message.delivered',
  'message.failed',
  /** The recipient has replied to the message. */
  'message.received',
] as const satisfies Schemas['WebhookDelivery']['event'][];

export type WebhookEvent = (typeof webhookEvents)[number];

export const deliveryStatuses = [
  'pending',
  'delivered',
  'retrying',
  'dead',
] as const satisfies Schemas['WebhookDelivery']['status'][];

export type DeliveryStatus = (typeof deliveryStatuses)[number];

/**
 * One event to deliver to a webhook. `id` is the id of the envelope and `body` contains the exact bytes sent, so both
 * stay the same across retries and redrives.
 *
 * `position` orders the events of a message: the first attempt of an event begins after the first attempts of all
 * earlier events have ended.
 */
export const WebhookDelivery = defineEntity({
  name: 'WebhookDelivery',
  tableName: 'webhook_deliveries',
  ...ofOrganizationAndEnvironment,
  properties: {
    id: p.uuid().primary(),
    organization: () => p.manyToOne(Organization).deleteRule('cascade'),
    environment: p.enum(environments),
    message: () => p.manyToOne(Message).deleteRule('cascade'),
    event: p.enum(webhookEvents),
    position: p.smallint(),
    url: p.string().columnType('text'),
    body: p.string().columnType('text'),
    status: p.enum(deliveryStatuses),
    attempts: p.smallint().default(0),
    /** How many attempts were made before the last redrive. The budget does not count them. */
    attemptsBefore: p.smallint().default(0),
    createdAt: p.datetime(3),
    deliveredAt: p.datetime(3).strictNullable(),
    dispatchId: p.uuid().strictNullable(),
    /** When the next attempt is due; while an attempt runs, when it counts as lost and is repeated. */
    dueAt: p.datetime(3).strictNullable(),
    /** The inbound message that `message.received` reports. */
    inboundMessageId: p.uuid().nullable(),
  },
  uniques: [
    { name: 'webhook_deliveries_event_unique', properties: ['message', 'position'] },
    {
      name: 'webhook_deliveries_inbound_unique',
      properties: ['inboundMessageId'],
      where: 'inbound_message_id is not null',
    },
  ],
  indexes: [
    { name: 'webhook_deliveries_list', properties: ['organization', 'environment', 'status', 'id'] },
    { name: 'webhook_deliveries_dead', properties: ['id'], where: `status = 'dead'` },
    // Redrives read it one page at a time.
    { name: 'webhook_deliveries_dead_in_time', properties: ['createdAt', 'id'], where: `status = 'dead'` },
    {
      name: 'webhook_deliveries_dead_of_organization',
      properties: ['organization', 'createdAt', 'id'],
      where: `status = 'dead'`,
    },
    {
      name: 'webhook_deliveries_unclaimed',
      properties: ['id'],
      where: `dispatch_id is null and status = 'pending'`,
    },
    {
      name: 'webhook_deliveries_open',
      properties: ['dispatchId'],
      where: `status in ('pending', 'retrying')`,
    },
  ],
});

export type WebhookDelivery = InferEntity<typeof WebhookDelivery>;
