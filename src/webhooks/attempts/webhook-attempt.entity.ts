import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { ofOrganizationId } from '../../organizations/organization-scope.ts';
import { WebhookDelivery } from '../webhook-delivery.entity.ts';

/** One request to a webhook's URL. An attempt without `durationMs` is in progress, or was lost with its process. */
export const WebhookAttempt = defineEntity({
  name: 'WebhookAttempt',
  tableName: 'webhook_attempts',
  ...ofOrganizationId,
  properties: {
    delivery: () => p.manyToOne(WebhookDelivery).primary().deleteRule('cascade'),
    organizationId: p.uuid(),
    number: p.smallint().primary(),
    startedAt: p.datetime(3),
    durationMs: p.integer().strictNullable(),
    responseStatus: p.smallint().strictNullable(),
    /** The first 1 KiB of the response body. */
    responseBody: p.string().columnType('text').strictNullable(),
    /** Why there was no complete response, as a stable code. */
    error: p.string().columnType('text').strictNullable(),
  },
});

export type WebhookAttempt = InferEntity<typeof WebhookAttempt>;
