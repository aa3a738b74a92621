import { queryOptions } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { MemberRole, Organization } from 'sms-service-client';
import { sms } from '../../api.ts';

/** The organizations of the user. */
export const organizationsQuery = queryOptions({
  queryKey: ['organizations'],
  queryFn: ({ signal }) => sms.organizations.list({ signal }),
  staleTime: 60_000,
});

/**
 * The same for `fetchQuery`, before a page loads: asked for once, and again only after a change. `ensureQueryData` would
 * keep the old name of an organization.
 */
export const knownOrganizations = { ...organizationsQuery, staleTime: Infinity };

/** The user's role in an organization. */
export function roleQuery(organizationId: string) {
  return queryOptions({
    queryKey: [organizationId, 'role'],
    queryFn: ({ signal }) => sms.organizations.getActiveMemberRole({ organizationId }, { signal }),
    staleTime: 60_000,
  });
}

export interface CurrentOrganization {
  organization: Organization;
  /** Sent with every request, so that two tabs can show two organizations. */
  organizationId: string;
  /** The part of the address that names it: the parameter `organization` of links. */
  slug: string;
  role: MemberRole;
  /** Whether the user may manage keys, members and sender IDs: owners and administrators. */
  isManager: boolean;
}

const route = getRouteApi('/signed-in/o/$organization');

/** The organization that the address names, and the user's role in it. */
export function useOrganization(): CurrentOrganization {
  return route.useRouteContext({ select: ({ current }) => current });
}
