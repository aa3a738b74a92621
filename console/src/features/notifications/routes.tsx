import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { organizationRoute } from '../../shell/parents.tsx';

const listRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'notifications',
  validateSearch: (search: Record<string, unknown>): { unread?: true } =>
    search['unread'] === true ? { unread: true } : {},
  component: lazyRouteComponent(() => import('./list-page.tsx'), 'ListPage'),
});

export const notificationRoutes = [listRoute] as const;
