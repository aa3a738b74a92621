import {
  keepPreviousData,
  queryOptions,
  useQuery,
  useQueryClient,
  type QueryClient,
} from '@tanstack/react-query';
import type { BulkSms, BulkSmsEstimateInput, BulkSmsMessage, MessageStatus } from 'sms-service-client';
import { useEffect } from 'react';
import { sms } from '../../api.ts';
import { listQuery, numberedListQuery } from '../../records/list-query.ts';

const pollIntervalMs = 5_000;
const recipientsPollIntervalMs = 3_000;

/** The batches of the organization, newest first. */
export function batchesQuery(organizationId: string) {
  return listQuery<BulkSms>(
    [organizationId, 'bulk-sms', 'list'],
    (paging, options) => sms.bulkSms.list({ organizationId, ...paging }, options),
    pollIntervalMs,
  );
}

/** Whether nothing more is submitted. Delivery reports may still arrive. */
export function hasEnded({ status }: Pick<BulkSms, 'status'>): boolean {
  return status === 'completed' || status === 'cancelled' || status === 'failed';
}

/** Whether nothing changes the ledger any more. */
export function isSettled({ status, ledger }: BulkSms): boolean {
  return hasEnded({ status }) && ledger.queued + ledger.accepted + ledger.sent === 0;
}

/** One batch. It is read again where its stream does not reach: after its end, and if the stream breaks. */
export function batchQuery(organizationId: string, bulkSmsId: string) {
  return queryOptions({
    queryKey: [organizationId, 'bulk-sms', bulkSmsId],
    queryFn: ({ signal }) => sms.bulkSms.get(bulkSmsId, { organizationId }, { signal }),
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && isSettled(data) ? false : pollIntervalMs,
  });
}

/** One batch, live by its event stream. */
export function useLiveBatch(organizationId: string, bulkSmsId: string) {
  const queryClient = useQueryClient();
  const query = useQuery(batchQuery(organizationId, bulkSmsId));
  const isOpen = query.data !== undefined && !hasEnded(query.data);
  useEffect(() => {
    if (!isOpen) return undefined;
    const closing = new AbortController();
    // Without the stream the page is as live as the polling of the query.
    follow(queryClient, organizationId, bulkSmsId, closing.signal).catch(() => undefined);
    return () => closing.abort();
  }, [bulkSmsId, isOpen, organizationId, queryClient]);
  return query;
}

/** Stores what the event stream of a batch says, until the batch has ended. */
async function follow(
  queryClient: QueryClient,
  organizationId: string,
  bulkSmsId: string,
  signal: AbortSignal,
): Promise<void> {
  const { queryKey } = batchQuery(organizationId, bulkSmsId);
  for await (const batch of sms.bulkSms.stream(bulkSmsId, { organizationId }, { signal })) {
    queryClient.setQueryData(queryKey, batch);
  }
}

/** What a batch would do if it started now. The previous estimate is shown until the next one is there. */
export function estimateQuery(input: BulkSmsEstimateInput | null) {
  return queryOptions({
    queryKey: [input?.organizationId, 'bulk-sms', 'estimate', input],
    queryFn: ({ signal }) => sms.bulkSms.estimate(input!, { signal }),
    enabled: input !== null,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
}

export interface RecipientFilters {
  search?: string;
  status?: MessageStatus;
}

/** The recipients of a batch and their messages, in the order of sending. */
export function recipientsQuery(organizationId: string, batch: BulkSms, filters: RecipientFilters) {
  return numberedListQuery<BulkSmsMessage>(
    [organizationId, 'bulk-sms', batch.id, 'recipients', filters],
    (paging, options) =>
      sms.bulkSms.listMessages(batch.id, { organizationId, ...filters, ...paging }, options),
    isSettled(batch) ? undefined : recipientsPollIntervalMs,
  );
}

/**
 * How many recipients failed for each reason, the most frequent first.
 *
 * @param failed the failures in the ledger: when there are more, they are counted again
 */
export function failuresQuery(organizationId: string, bulkSmsId: string, failed: number) {
  return queryOptions({
    queryKey: [organizationId, 'bulk-sms', bulkSmsId, 'failures', failed],
    queryFn: ({ signal }) => sms.bulkSms.listFailures(bulkSmsId, { organizationId }, { signal }),
    enabled: failed > 0,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
  });
}
