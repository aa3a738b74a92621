import type { MessageSchedule } from 'sms-service-client';
import { sms } from '../../api.ts';
import { listQuery } from '../../records/list-query.ts';

/** The schedules of the organization, newest first, live. */
export function schedulesQuery(organizationId: string) {
  return listQuery<MessageSchedule>(
    [organizationId, 'schedules'],
    (paging, options) => sms.messageSchedules.list({ organizationId, ...paging }, options),
    5_000,
  );
}
