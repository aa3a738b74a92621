import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { organizationRoute } from '../../shell/parents.tsx';

const listRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'campaigns',
  component: lazyRouteComponent(() => import('./campaigns-page.tsx'), 'CampaignsPage'),
});

export const campaignRoutes = [listRoute] as const;
