import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { organizationRoute, signedInRoute } from '../../shell/parents.tsx';

const listRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'members',
  component: lazyRouteComponent(() => import('./list-page.tsx'), 'ListPage'),
});

/** Where people answer their invitations, also before they belong to any organization. */
const receivedRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: 'invitations',
  component: lazyRouteComponent(() => import('./received-page.tsx'), 'ReceivedPage'),
});

export const memberRoutes = [listRoute] as const;
export const invitationRoutes = [receivedRoute] as const;
