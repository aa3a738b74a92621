import { queryOptions } from '@tanstack/react-query';
import type { ListWebhookDeliveriesQuery, WebhookDelivery } from 'sms-service-client';
import { sms } from '../../api.ts';
import { listQuery } from '../../list-query.ts';

export const deliveryStatuses = ['pending', 'retrying', 'delivered', 'dead'] as const;
export const environments = ['live', 'test'] as const;

/** What the list can be narrowed to. */
export type DeliveryFilters = Pick<ListWebhookDeliveriesQuery, 'status' | 'environment'>;

/** The deliveries that match, newest first. */
export function deliveriesQuery(organizationId: string, filters: DeliveryFilters) {
  return listQuery<WebhookDelivery>(
    [organizationId, 'webhook-deliveries', 'list', filters],
    (paging, options) => sms.webhookDeliveries.list({ organizationId, ...filters, ...paging }, options),
    3_000,
  );
}

/** The deliveries of all organizations in a status, for administrators of the service. */
export function allDeliveriesQuery(status: NonNullable<DeliveryFilters['status']>) {
  return listQuery<WebhookDelivery>(
    ['administration', 'webhook-deliveries', status],
    (paging, options) => sms.admin.listWebhookDeliveries({ status, ...paging }, options),
    5_000,
  );
}

/** The attempts of a delivery, oldest first. They are part of the history of its message. */
export function attemptsQuery(delivery: WebhookDelivery) {
  const { organizationId, messageId, id, attempts } = delivery;
  return queryOptions({
    queryKey: [organizationId, 'webhook-deliveries', id, 'attempts', attempts, delivery.status],
    queryFn: async ({ signal }) => {
      const { data } = await sms.messages
        .timeline(messageId, { organizationId, limit: 200 }, { signal })
        .page();
      return data
        .filter((entry) => entry.kind === 'webhook_attempted')
        .filter((entry) => entry.deliveryId === id);
    },
  });
}
