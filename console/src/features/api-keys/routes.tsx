import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { organizationRoute } from '../../shell/parents.tsx';

const listRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'api-keys',
  component: lazyRouteComponent(() => import('./list-page.tsx'), 'ListPage'),
});

export const apiKeyRoutes = [listRoute] as const;
