import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { administrationRoute, organizationRoute } from '../../shell/parents.tsx';
import { deliveryStatuses, environments, type DeliveryFilters } from './deliveries.ts';

const listRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'webhook-deliveries',
  validateSearch: (search: Record<string, unknown>): DeliveryFilters => {
    const status = deliveryStatuses.find((value) => value === search['status']);
    const environment = environments.find((value) => value === search['environment']);
    return { ...(status && { status }), ...(environment && { environment }) };
  },
  component: lazyRouteComponent(() => import('./list-page.tsx'), 'ListPage'),
});

/** The deliveries of all organizations, for administrators of the service. */
const administrationListRoute = createRoute({
  getParentRoute: () => administrationRoute,
  path: 'webhook-deliveries',
  validateSearch: (search: Record<string, unknown>): Pick<DeliveryFilters, 'status'> => {
    const status = deliveryStatuses.find((value) => value === search['status']);
    return { ...(status && { status }) };
  },
  component: lazyRouteComponent(() => import('./administration-page.tsx'), 'AdministrationPage'),
});

export const webhookAdministrationRoutes = [administrationListRoute] as const;
export const webhookRoutes = [listRoute] as const;
