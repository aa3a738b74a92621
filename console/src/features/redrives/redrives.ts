import { infiniteQueryOptions } from '@tanstack/react-query';
import type { Redrive } from 'sms-service-client';
import { sms } from '../../api.ts';
import { listQuery } from '../../list-query.ts';

export const redrivesKey = ['administration', 'redrives'];

/** Whether a redrive goes on. */
export function isUnderWay({ status }: Redrive): boolean {
  return status === 'pending' || status === 'running';
}

/** All redrives, newest first, read often while one is under way. */
export const redrivesQuery = infiniteQueryOptions({
  ...listQuery<Redrive>(redrivesKey, (paging, options) => sms.admin.listRedrives(paging, options)),
  refetchInterval: ({ state: { data } }) =>
    data?.pages.some((page) => page.data.some(isUnderWay)) ? 1_000 : 10_000,
});
