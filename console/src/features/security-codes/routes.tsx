import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readReportFilters } from '../../reports/report-filters.ts';
import { organizationRoute } from '../../shell/parents.tsx';

/** The numbers of days that the report offers. */
export const rangesDays = [7, 30, 90] as const;

const reportRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'security-codes',
  validateSearch: readReportFilters(rangesDays),
  component: lazyRouteComponent(() => import('./codes-page.tsx'), 'CodesPage'),
});

export const securityCodeRoutes = [reportRoute] as const;
