import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  lazyRouteComponent,
  notFound,
  redirect,
} from '@tanstack/react-router';
import { sessionQuery } from '../features/auth/session.ts';
import { knownOrganizations, roleQuery } from '../features/organizations/organization.ts';
import { NotFoundPage, RouteErrorPage } from './fallbacks.tsx';

/** The routes that features hang theirs on. */

export const rootRoute = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  notFoundComponent: NotFoundPage,
  errorComponent: RouteErrorPage,
});

/** Pages for people who are signed in. Others are led to the sign-in, and from there back. */
export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  beforeLoad: async ({ context, location }) => {
    const session = await context.queryClient.ensureQueryData(sessionQuery);
    if (session === null) throw redirect({ to: '/sign-in', search: { next: location.publicHref } });
  },
  component: lazyRouteComponent(() => import('./session-guard.tsx'), 'SessionGuard'),
});

/** Pages of an organization, within the frame with the navigation. */
export const organizationRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: 'o/$organization',
  beforeLoad: async ({ context: { queryClient }, params }) => {
    const organizations = await queryClient.fetchQuery(knownOrganizations);
    const organization = organizations.find(({ slug }) => slug === params.organization);
    if (organization === undefined) throw notFound();
    const { id: organizationId, slug } = organization;
    const { role } = await queryClient.ensureQueryData(roleQuery(organizationId));
    return { current: { organization, organizationId, slug, role, isManager: role !== 'member' } };
  },
  component: lazyRouteComponent(() => import('./frame.tsx'), 'Frame'),
});

/** Pages about the user's own account. */
export const accountRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: 'account',
  component: lazyRouteComponent(() => import('./account-frame.tsx'), 'AccountFrame'),
});

/** Pages for administrators of the service, across organizations. For others they do not exist. */
export const administrationRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: 'admin',
  beforeLoad: async ({ context: { queryClient } }) => {
    const session = await queryClient.ensureQueryData(sessionQuery);
    if (session?.user.role !== 'admin') throw notFound();
  },
  component: lazyRouteComponent(() => import('./administration-frame.tsx'), 'AdministrationFrame'),
});
