import { queryOptions } from '@tanstack/react-query';
import type { ListWebhookDeliveriesQuery, WebhookDelivery } from 'sms-service-client';
import { sms } from '../../api.ts';
import { listQuery } from '../../records/list-query.ts';

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

/** A delivery with the body of its requests and its attempts. It is read again when the delivery has changed. */
export function deliveryQuery({ organizationId, id, attempts, status }: WebhookDelivery) {
  return queryOptions({
    queryKey: [organizationId, 'webhook-deliveries', id, attempts, status],
    queryFn: ({ signal }) => sms.webhookDeliveries.get(id, { organizationId }, { signal }),
  });
}

/** The deliveries of one message, newest first, read again until nothing more is due. */
export function deliveriesOfMessageQuery(organizationId: string, messageId: string) {
  return queryOptions({
    queryKey: [organizationId, 'webhook-deliveries', 'of-message', messageId],
    queryFn: ({ signal }) =>
      sms.webhookDeliveries.list({ organizationId, messageId, limit: 50 }, { signal }).page(),
    refetchInterval: ({ state: { data } }) =>
      data?.data.some(({ status }) => status === 'pending' || status === 'retrying') ? 2_000 : 10_000,
  });
}
