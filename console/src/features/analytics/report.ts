import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { sms } from '../../api.ts';
import { firstDayOf, type ReportFilters } from '../../reports/report-filters.ts';

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
