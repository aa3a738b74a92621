import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { organizationRoute } from '../../shell/parents.tsx';

const listRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'suppressions',
  component: lazyRouteComponent(() => import('./suppressions-page.tsx'), 'SuppressionsPage'),
});

export const suppressionRoutes = [listRoute] as const;
