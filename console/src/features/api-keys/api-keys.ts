import { queryOptions } from '@tanstack/react-query';
import type { ApiKey, Permission } from 'sms-service-client';
import { sms } from '../../api.ts';
import { listQuery } from '../../records/list-query.ts';

/** The organization's newest keys, without their secrets. Only owners and administrators may read them. */
export function apiKeysQuery(organizationId: string) {
  return queryOptions({
    queryKey: [organizationId, 'api-keys'],
    queryFn: ({ signal }) => sms.apiKeys.list({ organizationId, limit: 200 }, { signal }).page(),
  });
}

/** All keys of the organization, page by page. */
export function apiKeyListQuery(organizationId: string) {
  return listQuery<ApiKey>([organizationId, 'api-keys', 'list'], (paging, options) =>
    sms.apiKeys.list({ organizationId, ...paging }, options),
  );
}

/** What a new key may do, as the choices of a form. */
export const permissionSets: Record<'sending' | 'reading' | 'everything', Permission[]> = {
  sending: ['messages:send', 'messages:read', 'webhooks:read'],
  reading: [
    ...(['messages:read', 'schedules:read', 'contacts:read', 'phonebooks:read', 'templates:read'] as const),
    ...(['campaigns:read', 'bulk:read', 'analytics:read', 'sender-ids:read', 'inbound:read'] as const),
    'webhooks:read',
  ],
  everything: [
    ...(['messages:send', 'messages:read', 'security-codes:send', 'security-codes:verify'] as const),
    ...(['schedules:write', 'schedules:read', 'contacts:write', 'contacts:read', 'contacts:verify'] as const),
    ...(['contacts:import', 'contacts:export', 'phonebooks:write', 'phonebooks:read'] as const),
    ...(['templates:write', 'templates:read', 'campaigns:write', 'campaigns:read', 'bulk:write'] as const),
    ...(['bulk:read', 'bulk:export', 'analytics:read', 'analytics:export', 'sender-ids:read'] as const),
    ...(['sender-ids:write', 'inbound:read', 'inbound:write', 'webhooks:read', 'webhooks:write'] as const),
  ],
};
