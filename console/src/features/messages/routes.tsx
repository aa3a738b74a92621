import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { organizationRoute } from '../../shell/parents.tsx';
import type { MessageFilters } from './messages.ts';

export const messageStatuses = ['queued', 'accepted', 'sent', 'delivered', 'failed', 'cancelled'] as const;
export const messageEnvironments = ['live', 'test'] as const;

/** Reads the filters of the list from its address, so that a link shows the same list. */
export function readFilters(search: Record<string, unknown>): MessageFilters {
  const status = messageStatuses.find((value) => value === search['status']);
  const environment = messageEnvironments.find((value) => value === search['environment']);
  const [to, from] = [readText(search['to']), readText(search['from'])];
  return {
    ...(status && { status }),
    ...(environment && { environment }),
    ...(to && { to }),
    ...(from && { from }),
  };
}

/** A text of the address. The router reads digits as a number. */
function readText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

const listRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'messages',
  validateSearch: readFilters,
  component: lazyRouteComponent(() => import('./list-page.tsx'), 'ListPage'),
});

/** What another page fills in. */
export interface SendPrefill {
  to?: string;
  text?: string;
  from?: string;
}

const sendRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'messages/send',
  validateSearch: (search): SendPrefill => {
    const [to, text, from] = [search['to'], search['text'], search['from']].map(readText);
    return { ...(to && { to }), ...(text && { text }), ...(from && { from }) };
  },
  component: lazyRouteComponent(() => import('./send-page.tsx'), 'SendPage'),
});

const detailRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'messages/$messageId',
  component: lazyRouteComponent(() => import('./message-page.tsx'), 'MessagePage'),
});

export const messageRoutes = [listRoute, sendRoute, detailRoute] as const;
