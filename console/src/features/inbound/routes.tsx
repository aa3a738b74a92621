import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { organizationRoute } from '../../shell/parents.tsx';
import { inboundStatuses, type InboundFilters } from './inbound.ts';

const listRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'inbound',
  validateSearch: (search: Record<string, unknown>): InboundFilters => {
    const status = inboundStatuses.find((value) => value === search['status']);
    return { ...(status && { status }) };
  },
  component: lazyRouteComponent(() => import('./list-page.tsx'), 'ListPage'),
});

const keywordsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'inbound/keywords',
  component: lazyRouteComponent(() => import('./keywords-page.tsx'), 'KeywordsPage'),
});

export const inboundRoutes = [listRoute, keywordsRoute] as const;
