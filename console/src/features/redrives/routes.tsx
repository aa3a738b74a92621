import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Redrive } from 'sms-service-client';
import { administrationRoute } from '../../shell/parents.tsx';

export const redriveKinds = ['messages', 'webhook_deliveries'] as const satisfies Redrive['kind'][];

const listRoute = createRoute({
  getParentRoute: () => administrationRoute,
  path: 'redrives',
  /** `start` opens the form of a kind. */
  validateSearch: (search: Record<string, unknown>): { start?: Redrive['kind'] } => {
    const start = redriveKinds.find((kind) => kind === search['start']);
    return start === undefined ? {} : { start };
  },
  component: lazyRouteComponent(() => import('./list-page.tsx'), 'ListPage'),
});

export const redriveRoutes = [listRoute] as const;
