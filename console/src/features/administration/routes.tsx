import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { administrationRoute } from '../../shell/parents.tsx';

/** The address alone, as people type it, leads to the first page of the navigation. */
const indexRoute = createRoute({
  getParentRoute: () => administrationRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/admin/sender-ids' });
  },
});

const organizationsRoute = createRoute({
  getParentRoute: () => administrationRoute,
  path: 'organizations',
  validateSearch: (search: Record<string, unknown>): { search?: string } => {
    const value = search['search'];
    return typeof value === 'string' || typeof value === 'number' ? { search: String(value) } : {};
  },
  component: lazyRouteComponent(() => import('./organizations-page.tsx'), 'OrganizationsPage'),
});

const failedRoute = createRoute({
  getParentRoute: () => administrationRoute,
  path: 'failed-messages',
  validateSearch: (search: Record<string, unknown>): { organizationId?: string } => {
    const value = search['organizationId'];
    return typeof value === 'string' ? { organizationId: value } : {};
  },
  component: lazyRouteComponent(() => import('./failed-messages-page.tsx'), 'FailedMessagesPage'),
});

export const administrationRoutes = [indexRoute, organizationsRoute, failedRoute] as const;
