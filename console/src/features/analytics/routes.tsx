import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readReportFilters } from '../../reports/report-filters.ts';
import { organizationRoute } from '../../shell/parents.tsx';

/** The numbers of days that the report offers. */
export const rangesDays = [7, 30, 90, 365] as const;

const reportRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'analytics',
  validateSearch: readReportFilters(rangesDays),
  component: lazyRouteComponent(() => import('./report-page.tsx'), 'ReportPage'),
});

export const analyticsRoutes = [reportRoute] as const;
