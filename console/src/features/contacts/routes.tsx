import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { organizationRoute } from '../../shell/parents.tsx';
import type { ContactFilters } from './contacts.ts';

const listRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'contacts',
  // The router reads digits as a number.
  validateSearch: ({ search, tag }: Record<string, unknown>): ContactFilters => ({
    ...((typeof search === 'string' || typeof search === 'number') && { search: String(search) }),
    ...((typeof tag === 'string' || typeof tag === 'number') && { tag: String(tag) }),
  }),
  component: lazyRouteComponent(() => import('./contacts-page.tsx'), 'ContactsPage'),
});

const importRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'contacts/import',
  component: lazyRouteComponent(() => import('./import/import-page.tsx'), 'ImportPage'),
});

export const contactRoutes = [listRoute, importRoute] as const;
