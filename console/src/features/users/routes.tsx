import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { administrationRoute } from '../../shell/parents.tsx';

const listRoute = createRoute({
  getParentRoute: () => administrationRoute,
  path: 'users',
  validateSearch: (search: Record<string, unknown>): { search?: string } => {
    const value = search['search'];
    return typeof value === 'string' || typeof value === 'number' ? { search: String(value) } : {};
  },
  component: lazyRouteComponent(() => import('./list-page.tsx'), 'ListPage'),
});

export const userRoutes = [listRoute] as const;
