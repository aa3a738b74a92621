import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { sms } from '../../api.ts';
import type { ReportFilters } from './routes.tsx';

const dayMs = 86_400_000;

/** The first day of a report of some days up to today. The API counts days in the organization's zone. */
export function firstDayOf({ days = 30 }: ReportFilters): string {
  return new Date(Date.now() - (days - 1) * dayMs).toISOString().slice(0, 10);
}

/** The figures of the organization in a range. */
export function reportQuery(organizationId: string, filters: ReportFilters) {
  const { environment } = filters;
  const from = firstDayOf(filters);
  return queryOptions({
    queryKey: [organizationId, 'analytics', from, environment],
    queryFn: ({ signal }) =>
      sms.analytics.get({ organizationId, from, ...(environment && { environment }) }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  });
}
