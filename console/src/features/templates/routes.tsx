import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { organizationRoute } from '../../shell/parents.tsx';

const listRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'templates',
  component: lazyRouteComponent(() => import('./templates-page.tsx'), 'TemplatesPage'),
});

export const templateRoutes = [listRoute] as const;
