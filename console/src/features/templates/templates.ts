import type { ListTemplatesQuery, Template } from 'sms-service-client';
import { sms } from '../../api.ts';
import { listQuery } from '../../records/list-query.ts';

export const templateCategories = ['general', 'marketing', 'notification', 'reminder', 'otp'] as const;
export const templateScopes = ['team', 'personal'] as const;

/** The templates that the reader may see and that match, newest first. */
export function templatesQuery(organizationId: string, filters: Pick<ListTemplatesQuery, 'search'>) {
  return listQuery<Template>([organizationId, 'templates', 'list', filters], (paging, options) =>
    sms.templates.list({ organizationId, ...filters, ...paging }, options),
  );
}
