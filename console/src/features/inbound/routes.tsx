import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { organizationRoute } from '../../shell/parents.tsx';
import { inboundStatuses, type InboundFilters } from './inbound.ts';

const inboxRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'inbound',
  component: lazyRouteComponent(() => import('./inbox-page.tsx'), 'InboxPage'),
});

/** A conversation is named by the id of any of its inbound messages. */
const threadRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'inbound/conversations/$messageId',
  component: lazyRouteComponent(() => import('./thread-page.tsx'), 'ThreadPage'),
});

const listRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'inbound/messages',
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

export const inboundRoutes = [inboxRoute, threadRoute, listRoute, keywordsRoute] as const;
