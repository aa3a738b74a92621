import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Redrive } from 'sms-service-client';
import { administrationRoute } from '../../shell/parents.tsx';

export const redriveKinds = ['messages', 'webhook_deliveries'] as const satisfies Redrive['kind'][];

/** `start` opens the form of a kind; the others fill it in. */
export interface RedriveSearch {
  start?: Redrive['kind'];
  organizationId?: string;
  /** ISO time from which messages were created. */
  from?: string;
}

const listRoute = createRoute({
  getParentRoute: () => administrationRoute,
  path: 'redrives',
  validateSearch: (search: Record<string, unknown>): RedriveSearch => {
    const start = redriveKinds.find((kind) => kind === search['start']);
    const [organizationId, from] = [search['organizationId'], search['from']];
    return {
      ...(start && { start }),
      ...(typeof organizationId === 'string' && { organizationId }),
      ...(typeof from === 'string' && !Number.isNaN(Date.parse(from)) && { from }),
    };
  },
  component: lazyRouteComponent(() => import('./list-page.tsx'), 'ListPage'),
});

export const redriveRoutes = [listRoute] as const;
