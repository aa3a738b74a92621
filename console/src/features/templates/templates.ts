import type { ListTemplatesQuery, Template } from 'sms-service-client';
import { sms } from '../../api.ts';
import { listQuery } from '../../list.tsx';

export const templateCategories = ['general', 'marketing', 'notification', 'reminder', 'otp'] as const;
export const templateScopes = ['team', 'personal'] as const;

/** The templates that the reader may see and that match, newest first. */
export function templatesQuery(organizationId: string, filters: Pick<ListTemplatesQuery, 'search'>) {
  return listQuery<Template>([organizationId, 'templates', 'list', filters], (position, signal) =>
    sms.templates.list({ organizationId, ...filters, limit: 200, ...position }, { signal }).page(),
  );
}
