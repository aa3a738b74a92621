import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { organizationRoute } from '../../shell/parents.tsx';

const listRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'phonebooks',
  component: lazyRouteComponent(() => import('./phonebooks-page.tsx'), 'PhonebooksPage'),
});

const phonebookRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'phonebooks/$phonebookId',
  component: lazyRouteComponent(() => import('./phonebook-page.tsx'), 'PhonebookPage'),
});

export const phonebookRoutes = [listRoute, phonebookRoute] as const;
