import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { organizationRoute } from '../../shell/parents.tsx';

export const rangesDays = [7, 30, 90] as const;

/** The days up to today, and the environment, of a report. */
export interface CodeFilters {
  days?: (typeof rangesDays)[number];
  environment?: 'live' | 'test';
}

const reportRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'security-codes',
  validateSearch: (search: Record<string, unknown>): CodeFilters => {
    const days = rangesDays.find((value) => value === search['days']);
    const environment = (['live', 'test'] as const).find((value) => value === search['environment']);
    return { ...(days && { days }), ...(environment && { environment }) };
  },
  component: lazyRouteComponent(() => import('./codes-page.tsx'), 'CodesPage'),
});

export const securityCodeRoutes = [reportRoute] as const;
