import type { ListSuppressionsQuery, Suppression } from 'sms-service-client';
import { sms } from '../../api.ts';
import { listQuery } from '../../list.tsx';

/** The suppressed numbers that match, newest first. */
export function suppressionsQuery(organizationId: string, filters: Pick<ListSuppressionsQuery, 'search'>) {
  return listQuery<Suppression>([organizationId, 'suppressions', 'list', filters], (position, signal) =>
    sms.suppressions.list({ organizationId, ...filters, limit: 200, ...position }, { signal }).page(),
  );
}
