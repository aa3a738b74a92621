import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { organizationRoute } from '../../shell/parents.tsx';

const listRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'schedules',
  component: lazyRouteComponent(() => import('./list-page.tsx'), 'ListPage'),
});

const newRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'schedules/new',
  component: lazyRouteComponent(() => import('./new-page.tsx'), 'NewPage'),
});

export const scheduleRoutes = [listRoute, newRoute] as const;
