import { queryOptions } from '@tanstack/react-query';
import type { AdministeredOrganization, FailedMessage } from 'sms-service-client';
import { sms } from '../../api.ts';
import { listQuery } from '../../records/list-query.ts';

/** What administrators of the service need to know of its configuration. */
export const serviceSettingsQuery = queryOptions({
  queryKey: ['administration', 'settings'],
  queryFn: ({ signal }) => sms.admin.getSettings({ signal }),
  staleTime: Infinity,
});

/** The organizations whose name or slug contains a text, newest first. */
export function allOrganizationsQuery(search: string) {
  return listQuery<AdministeredOrganization>(['administration', 'organizations', search], (paging, options) =>
    sms.admin.listOrganizations({ ...(search && { search }), ...paging }, options),
  );
}

/** The failed messages of all organizations, or of one, newest first, live. */
export function failedMessagesQuery(organizationId: string | undefined) {
  return listQuery<FailedMessage>(
    ['administration', 'failed-messages', organizationId],
    (paging, options) =>
      sms.admin.listFailedMessages({ ...(organizationId && { organizationId }), ...paging }, options),
    5_000,
  );
}
