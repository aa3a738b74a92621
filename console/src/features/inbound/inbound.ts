import type { InboundKeyword, InboundMessage, ListInboundMessagesQuery } from 'sms-service-client';
import { sms } from '../../api.ts';
import { listQuery } from '../../list-query.ts';

export const inboundStatuses = ['received', 'processing', 'processed', 'failed', 'unmatched'] as const;
export const matchTypes = ['exact', 'starts_with', 'contains'] as const;

export type InboundFilters = Pick<ListInboundMessagesQuery, 'status'>;

/** What phones texted to the organization's numbers, newest first, live. */
export function inboundQuery(organizationId: string, filters: InboundFilters) {
  return listQuery<InboundMessage>(
    [organizationId, 'inbound', 'messages', filters],
    (paging, options) => sms.inbound.listMessages({ organizationId, ...filters, ...paging }, options),
    3_000,
  );
}

/** The rules that answer, newest first. */
export function keywordsQuery(organizationId: string) {
  return listQuery<InboundKeyword>([organizationId, 'inbound', 'keywords'], (paging, options) =>
    sms.inbound.listKeywords({ organizationId, ...paging }, options),
  );
}
