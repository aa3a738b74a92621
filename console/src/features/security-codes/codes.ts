import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { sms } from '../../api.ts';
import { firstDayOf, type ReportFilters } from '../../reports/report-filters.ts';

/** What became of the codes of the last days. The API counts days in the organization's zone. */
export function codesQuery(organizationId: string, filters: ReportFilters) {
  const { environment } = filters;
  const from = firstDayOf(filters);
  return queryOptions({
    queryKey: [organizationId, 'security-codes', from, environment],
    queryFn: ({ signal }) =>
      sms.analytics.getSecurityCodes(
        { organizationId, from, ...(environment && { environment }) },
        { signal },
      ),
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  });
}
