import { queryOptions } from '@tanstack/react-query';
import type { SecurityCodeAlarm } from 'sms-service-client';
import { sms } from '../../api.ts';
import { listQuery } from '../../records/list-query.ts';

/** The beginning of the keys of all that the page shows: changed settings end alarms. */
export const securityCodeWatchKey = ['administration', 'security-codes'];

export const watchQuery = queryOptions({
  queryKey: [...securityCodeWatchKey, 'watch'],
  queryFn: ({ signal }) => sms.admin.getSecurityCodeWatch({ signal }),
});

/** The alarms of all organizations, or those that last, newest first, live. */
export function alarmsQuery(isLasting: boolean) {
  return listQuery<SecurityCodeAlarm>(
    [...securityCodeWatchKey, 'alarms', isLasting],
    (paging, options) =>
      sms.admin.listSecurityCodeAlarms({ ...(isLasting && { open: true }), ...paging }, options),
    10_000,
  );
}
