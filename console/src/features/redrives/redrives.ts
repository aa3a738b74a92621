import type { Redrive } from 'sms-service-client';
import { sms } from '../../api.ts';
import { listQuery } from '../../records/list-query.ts';

export const redrivesKey = ['administration', 'redrives'];

/** Whether a redrive goes on. */
export function isUnderWay({ status }: Redrive): boolean {
  return status === 'pending' || status === 'running';
}

/** All redrives, newest first, read often while one is under way. */
export const redrivesQuery = listQuery<Redrive>(
  redrivesKey,
  (paging, options) => sms.admin.listRedrives(paging, options),
  (rows) => (rows.some(isUnderWay) ? 1_000 : 10_000),
);
