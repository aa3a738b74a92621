import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { sms } from '../../api.ts';

const pageSize = 100;

/** The members of an organization, page by page. */
export function membersQuery(organizationId: string) {
  return infiniteQueryOptions({
    queryKey: [organizationId, 'members'],
    initialPageParam: 0,
    queryFn: ({ signal, pageParam: offset }) =>
      sms.organizations.listMembers({ organizationId, limit: pageSize, offset }, { signal }).page(),
    getNextPageParam: ({ members, total }, _pages, offset) =>
      offset + members.length < total && members.length > 0 ? offset + members.length : undefined,
  });
}

/** The open invitations of an organization. */
export function openInvitationsQuery(organizationId: string) {
  return queryOptions({
    queryKey: [organizationId, 'invitations'],
    queryFn: async ({ signal }) => {
      const invitations = await sms.organizations.listInvitations({ organizationId }, { signal });
      return invitations.filter(({ status }) => status === 'pending');
    },
  });
}

/** The open invitations of the user, to any organization. */
export const receivedInvitationsQuery = queryOptions({
  queryKey: ['received-invitations'],
  queryFn: async ({ signal }) => {
    const invitations = await sms.organizations.listUserInvitations({ signal });
    return invitations.filter(({ status }) => status === 'pending');
  },
});
