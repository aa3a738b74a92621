import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import type { SecurityEvent } from 'sms-service-client';
import { sms } from '../../api.ts';
import { listQuery } from '../../records/list-query.ts';

const pageSize = 100;

/** The users whose address contains a text, page by page. */
export function usersQuery(search: string) {
  return infiniteQueryOptions({
    queryKey: ['administration', 'users', search],
    initialPageParam: 0,
    queryFn: ({ signal, pageParam: offset }) =>
      sms.admin
        .listUsers({ limit: pageSize, offset, ...(search && { searchValue: search }) }, { signal })
        .page(),
    getNextPageParam: ({ users, total }, _pages, offset) =>
      offset + users.length < total && users.length > 0 ? offset + users.length : undefined,
    placeholderData: keepPreviousData,
  });
}

/** What happened to the account of a user. */
export function securityEventsQuery(userId: string) {
  return listQuery<SecurityEvent>(['administration', 'security-events', userId], (paging, options) =>
    sms.admin.listSecurityEvents(userId, paging, options),
  );
}
