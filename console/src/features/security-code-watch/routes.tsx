import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { administrationRoute } from '../../shell/parents.tsx';

const alarmsRoute = createRoute({
  getParentRoute: () => administrationRoute,
  path: 'security-codes',
  validateSearch: (search: Record<string, unknown>): { show?: 'all' } =>
    search['show'] === 'all' ? { show: 'all' } : {},
  component: lazyRouteComponent(() => import('./alarms-page.tsx'), 'AlarmsPage'),
});

export const securityCodeWatchRoutes = [alarmsRoute] as const;
