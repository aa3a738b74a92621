import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { accountRoute } from '../../shell/parents.tsx';

const securityRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: 'security',
  component: lazyRouteComponent(() => import('./security-page.tsx'), 'SecurityPage'),
});

const activityRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: 'activity',
  component: lazyRouteComponent(() => import('./activity-page.tsx'), 'ActivityPage'),
});

export const accountRoutes = [securityRoute, activityRoute] as const;
