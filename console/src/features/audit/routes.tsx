import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { administrationRoute, organizationRoute } from '../../shell/parents.tsx';

const listRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'audit-events',
  component: lazyRouteComponent(() => import('./list-page.tsx'), 'ListPage'),
});

const administrationListRoute = createRoute({
  getParentRoute: () => administrationRoute,
  path: 'audit-events',
  component: lazyRouteComponent(() => import('./administration-page.tsx'), 'AdministrationPage'),
});

export const auditRoutes = [listRoute] as const;
export const administrationAuditRoutes = [administrationListRoute] as const;
