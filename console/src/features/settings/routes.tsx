import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { organizationRoute } from '../../shell/parents.tsx';

const settingsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'settings',
  component: lazyRouteComponent(() => import('./settings-page.tsx'), 'SettingsPage'),
});

export const settingsRoutes = [settingsRoute] as const;
