import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { ListMessagesQuery, Message, MessageInput } from 'sms-service-client';
import { sms } from '../../api.ts';
import { listQuery } from '../../records/list-query.ts';

const pollIntervalMs = 3_000;

/** What the list can be narrowed to. */
export type MessageFilters = Pick<ListMessagesQuery, 'status' | 'environment' | 'to' | 'from'>;

/** Whether nothing more happens to a message. */
export function isFinal({ status }: Pick<Message, 'status'>): boolean {
  return status === 'delivered' || status === 'failed' || status === 'cancelled';
}

/** The messages that match, newest first, page by page. */
export function messagesQuery(organizationId: string, filters: MessageFilters) {
  return listQuery<Message>([organizationId, 'messages', 'list', filters], (paging, options) =>
    sms.messages.list({ organizationId, ...filters, ...paging }, options),
  );
}

/** The newest messages that match, read again every few seconds while the page is looked at. */
export function newestMessagesQuery(organizationId: string, filters: MessageFilters = {}) {
  return queryOptions({
    queryKey: [organizationId, 'messages', 'newest', filters],
    queryFn: ({ signal }) => sms.messages.list({ organizationId, ...filters, limit: 50 }, { signal }).page(),
    refetchInterval: pollIntervalMs,
  });
}

/** One message, read again until its status is final. */
export function messageQuery(organizationId: string, messageId: string) {
  return queryOptions({
    queryKey: [organizationId, 'messages', messageId],
    queryFn: ({ signal }) => sms.messages.get(messageId, { organizationId }, { signal }),
    refetchInterval: ({ state: { data } }) => (data !== undefined && isFinal(data) ? false : 1_000),
  });
}

/** The history of a message. Webhooks go on after the message is final, so it is read for longer than the message. */
export function timelineQuery(organizationId: string, messageId: string) {
  return queryOptions({
    queryKey: [organizationId, 'messages', messageId, 'timeline'],
    queryFn: ({ signal }) =>
      sms.messages.timeline(messageId, { organizationId, limit: 200 }, { signal }).page(),
    refetchInterval: ({ state: { data } }) => (data !== undefined && isFinal(data) ? 5_000 : 1_000),
  });
}

/** What sending would do. The previous estimate is shown until the next one is there. */
export function estimateQuery(input: MessageInput | null) {
  return queryOptions({
    queryKey: [input?.organizationId, 'estimate', input],
    queryFn: ({ signal }) => sms.messages.estimate(input!, { signal }),
    enabled: input !== null,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
}
