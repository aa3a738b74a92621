import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { administrationRoute } from '../../shell/parents.tsx';

const rulesRoute = createRoute({
  getParentRoute: () => administrationRoute,
  path: 'content-rules',
  component: lazyRouteComponent(() => import('./content-rules-page.tsx'), 'ContentRulesPage'),
});

export const contentRuleRoutes = [rulesRoute] as const;
