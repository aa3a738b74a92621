import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { InboundKeyword, InboundMessage, ListInboundMessagesQuery } from 'sms-service-client';
import { sms } from '../../api.ts';
import { listQuery } from '../../records/list-query.ts';

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

/** The latest inbound message of each conversation, newest first, live. */
export function conversationsQuery(organizationId: string) {
  return listQuery<InboundMessage>(
    [organizationId, 'inbound', 'conversations'],
    (paging, options) => sms.inbound.listConversations({ organizationId, ...paging }, options),
    3_000,
  );
}

const threadPageSize = 50;

/** A conversation, newest first, page by page. Its first page is read again while nothing older is shown. */
export function threadQuery(organizationId: string, messageId: string) {
  return infiniteQueryOptions({
    queryKey: [organizationId, 'inbound', 'thread', messageId],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ signal, pageParam: cursor }) =>
      sms.inbound
        .listThread(
          messageId,
          { organizationId, limit: threadPageSize, ...(cursor !== undefined && { cursor }) },
          { signal },
        )
        .page(),
    getNextPageParam: ({ pagination: { nextCursor } }) => nextCursor ?? undefined,
    refetchInterval: ({ state: { data } }) => ((data?.pages.length ?? 0) <= 1 ? 3_000 : 15_000),
  });
}

/** What an inbound message with this text would match. The API decides, by the rules that it answers phones by. */
export function keywordTestQuery(organizationId: string, text: string) {
  return queryOptions({
    queryKey: [organizationId, 'inbound', 'keywords', 'test', text],
    queryFn: ({ signal }) => sms.inbound.testKeywords({ organizationId, text }, { signal }),
    enabled: text !== '',
    placeholderData: keepPreviousData,
  });
}

/** The rules that answer, newest first. */
export function keywordsQuery(organizationId: string) {
  return listQuery<InboundKeyword>([organizationId, 'inbound', 'keywords', 'list'], (paging, options) =>
    sms.inbound.listKeywords({ organizationId, ...paging }, options),
  );
}
