import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { signedInRoute } from '../../shell/parents.tsx';
import { sessionQuery } from '../auth/session.ts';
import { knownOrganizations } from './organization.ts';

/**
 * Leads to the organization that was shown last. Without one, administrators of the service go to their pages, and
 * others to the page where they create it.
 */
const startRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/',
  beforeLoad: async ({ context: { queryClient } }) => {
    const [session, organizations] = await Promise.all([
      queryClient.ensureQueryData(sessionQuery),
      queryClient.fetchQuery(knownOrganizations),
    ]);
    const active = organizations.find(({ id }) => id === session?.session.activeOrganizationId);
    const shown = active ?? organizations[0];
    if (shown === undefined) {
      throw redirect({ to: session?.user.role === 'admin' ? '/admin/sender-ids' : '/new-organization' });
    }
    throw redirect({ to: '/o/$organization', params: { organization: shown.slug } });
  },
});

const newOrganizationRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: 'new-organization',
  component: lazyRouteComponent(() => import('./new-organization-page.tsx'), 'NewOrganizationPage'),
});

export const organizationRoutes = [startRoute, newOrganizationRoute] as const;
