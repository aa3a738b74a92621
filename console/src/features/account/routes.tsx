import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { accountRoute } from '../../shell/parents.tsx';

const securityRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: 'security',
  component: lazyRouteComponent(() => import('./security-page.tsx'), 'SecurityPage'),
});

export const accountRoutes = [securityRoute] as const;
