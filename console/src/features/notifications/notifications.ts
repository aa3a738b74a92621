import { queryOptions } from '@tanstack/react-query';
import type { Notification } from 'sms-service-client';
import { sms } from '../../api.ts';
import { listQuery } from '../../records/list-query.ts';

/** The reader's notifications in an organization, newest first. The stream says when there are new ones. */
export function notificationsQuery(organizationId: string, unread: boolean) {
  return listQuery<Notification>([organizationId, 'notifications', 'list', { unread }], (paging, options) =>
    sms.notifications.list({ organizationId, ...(unread && { unread }), ...paging }, options),
  );
}

/** How many notifications the reader has not read. */
export function unreadCountQuery(organizationId: string) {
  return queryOptions({
    queryKey: [organizationId, 'notifications', 'unread-count'],
    queryFn: async ({ signal }) => {
      const { unreadCount } = await sms.notifications
        .list({ organizationId, unread: true, limit: 1 }, { signal })
        .page();
      return unreadCount;
    },
  });
}
