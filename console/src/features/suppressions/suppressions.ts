import type { ListSuppressionsQuery, Suppression } from 'sms-service-client';
import { sms } from '../../api.ts';
import { listQuery } from '../../records/list-query.ts';

/** The suppressed numbers that match, newest first. */
export function suppressionsQuery(organizationId: string, filters: Pick<ListSuppressionsQuery, 'search'>) {
  return listQuery<Suppression>([organizationId, 'suppressions', 'list', filters], (paging, options) =>
    sms.suppressions.list({ organizationId, ...filters, ...paging }, options),
  );
}
