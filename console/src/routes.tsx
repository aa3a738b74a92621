import type { QueryClient } from '@tanstack/react-query';
import { createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { PageSkeleton } from './design/states.tsx';
import { accountRoutes } from './features/account/routes.tsx';
import { administrationRoutes } from './features/administration/routes.tsx';
import { analyticsRoutes } from './features/analytics/routes.tsx';
import { apiKeyRoutes } from './features/api-keys/routes.tsx';
import { administrationAuditRoutes, auditRoutes } from './features/audit/routes.tsx';
import { authRoutes } from './features/auth/routes.tsx';
import { bulkSmsRoutes } from './features/bulk-sms/routes.tsx';
import { campaignRoutes } from './features/campaigns/routes.tsx';
import { contentRuleRoutes } from './features/content-rules/routes.tsx';
import { contactRoutes } from './features/contacts/routes.tsx';
import { inboundRoutes } from './features/inbound/routes.tsx';
import { invitationRoutes, memberRoutes } from './features/members/routes.tsx';
import { messageRoutes } from './features/messages/routes.tsx';
import { notificationRoutes } from './features/notifications/routes.tsx';
import { organizationRoutes } from './features/organizations/routes.tsx';
import { overviewRoutes } from './features/overview/routes.tsx';
import { phonebookRoutes } from './features/phonebooks/routes.tsx';
import { suppressionRoutes } from './features/suppressions/routes.tsx';
import { templateRoutes } from './features/templates/routes.tsx';
import { redriveRoutes } from './features/redrives/routes.tsx';
import { scheduleRoutes } from './features/schedules/routes.tsx';
import { securityCodeWatchRoutes } from './features/security-code-watch/routes.tsx';
import { securityCodeRoutes } from './features/security-codes/routes.tsx';
import { senderIdReviewRoutes, senderIdRoutes } from './features/sender-ids/routes.tsx';
import { settingsRoutes } from './features/settings/routes.tsx';
import { userRoutes } from './features/users/routes.tsx';
import { webhookAdministrationRoutes, webhookRoutes } from './features/webhooks/routes.tsx';
import {
  accountRoute,
  administrationRoute,
  organizationRoute,
  rootRoute,
  signedInRoute,
} from './shell/parents.tsx';

/** The components alone, in every state; only in development (`npm run dev --workspace console`). */
const galleryRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '_gallery',
  component: import.meta.env.DEV
    ? lazyRouteComponent(() => import('./gallery/gallery-page.tsx'), 'GalleryPage')
    : () => null,
});

/** The pages of an organization: each feature adds its routes here. */
const organizationPages = [
  ...overviewRoutes,
  ...messageRoutes,
  ...contactRoutes,
  ...phonebookRoutes,
  ...suppressionRoutes,
  ...bulkSmsRoutes,
  ...campaignRoutes,
  ...templateRoutes,
  ...inboundRoutes,
  ...analyticsRoutes,
  ...securityCodeRoutes,
  ...scheduleRoutes,
  ...apiKeyRoutes,
  ...webhookRoutes,
  ...senderIdRoutes,
  ...memberRoutes,
  ...auditRoutes,
  ...settingsRoutes,
  ...notificationRoutes,
] as const;

/** The pages for administrators of the service. */
const administrationPages = [
  ...senderIdReviewRoutes,
  ...webhookAdministrationRoutes,
  ...redriveRoutes,
  ...securityCodeWatchRoutes,
  ...contentRuleRoutes,
  ...administrationRoutes,
  ...userRoutes,
  ...administrationAuditRoutes,
] as const;

const routeTree = rootRoute.addChildren([
  ...authRoutes,
  ...(import.meta.env.DEV ? [galleryRoute] : []),
  signedInRoute.addChildren([
    ...organizationRoutes,
    ...invitationRoutes,
    organizationRoute.addChildren([...organizationPages]),
    accountRoute.addChildren([...accountRoutes]),
    administrationRoute.addChildren([...administrationPages]),
  ]),
]);

/** Creates the router of the console. Code and data of a page are loaded when a link to it is pointed at. */
export function createConsoleRouter(queryClient: QueryClient) {
  return createRouter({
    ...{ routeTree, basepath: '/console', context: { queryClient } },
    defaultPreload: 'intent',
    // The data of pages is in the QueryClient, which decides what is old.
    defaultPreloadStaleTime: 0,
    defaultPendingComponent: PageSkeleton,
    scrollRestoration: true,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
