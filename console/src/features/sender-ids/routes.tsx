import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { administrationRoute, organizationRoute } from '../../shell/parents.tsx';
import { senderIdStatuses } from './sender-ids.ts';

const listRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'sender-ids',
  component: lazyRouteComponent(() => import('./list-page.tsx'), 'ListPage'),
});

/** The queue of requests, for administrators of the service. */
const reviewRoute = createRoute({
  getParentRoute: () => administrationRoute,
  path: 'sender-ids',
  validateSearch: (search: Record<string, unknown>): { status?: (typeof senderIdStatuses)[number] } => {
    const status = senderIdStatuses.find((value) => value === search['status']);
    return status === undefined ? {} : { status };
  },
  component: lazyRouteComponent(() => import('./review-page.tsx'), 'ReviewPage'),
});

export const senderIdRoutes = [listRoute] as const;
export const senderIdReviewRoutes = [reviewRoute] as const;
