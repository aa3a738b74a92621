import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { organizationRoute } from '../../shell/parents.tsx';

const listRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'bulk-sms',
  component: lazyRouteComponent(() => import('./batches-page.tsx'), 'BatchesPage'),
});

/** What another page fills in. */
export interface BatchPrefill {
  phonebookId?: string;
  campaignId?: string;
  text?: string;
}

const newRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'bulk-sms/new',
  validateSearch: ({ phonebookId, campaignId, text }: Record<string, unknown>): BatchPrefill => ({
    ...(typeof phonebookId === 'string' && { phonebookId }),
    ...(typeof campaignId === 'string' && { campaignId }),
    ...((typeof text === 'string' || typeof text === 'number') && { text: String(text) }),
  }),
  component: lazyRouteComponent(() => import('./wizard/wizard-page.tsx'), 'WizardPage'),
});

const batchRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'bulk-sms/$bulkSmsId',
  component: lazyRouteComponent(() => import('./batch-page.tsx'), 'BatchPage'),
});

export const bulkSmsRoutes = [listRoute, newRoute, batchRoute] as const;
