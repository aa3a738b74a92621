import { queryOptions } from '@tanstack/react-query';
import type { ReviewedSenderId, SenderId, SenderIdStatus } from 'sms-service-client';
import { sms } from '../../api.ts';
import { listQuery } from '../../records/list-query.ts';

export const senderIdStatuses = ['pending', 'approved', 'rejected'] as const satisfies SenderIdStatus[];

/** The organization's newest sender IDs, whatever their status. */
export function senderIdsQuery(organizationId: string) {
  return queryOptions({
    queryKey: [organizationId, 'sender-ids'],
    queryFn: ({ signal }) => sms.senderIds.list({ organizationId, limit: 200 }, { signal }).page(),
  });
}

/** All sender IDs of the organization, page by page. */
export function senderIdListQuery(organizationId: string) {
  return listQuery<SenderId>([organizationId, 'sender-ids', 'list'], (paging, options) =>
    sms.senderIds.list({ organizationId, ...paging }, options),
  );
}

/** The sender IDs of all organizations in a status, for administrators of the service. */
export function reviewQueueQuery(status: SenderIdStatus) {
  return listQuery<ReviewedSenderId>(
    ['administration', 'sender-ids', status],
    (paging, options) => sms.admin.listSenderIds({ status, ...paging }, options),
    5_000,
  );
}
