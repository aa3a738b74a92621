import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { sms } from '../../api.ts';
import type { CodeFilters } from './routes.tsx';

const dayMs = 86_400_000;

/** What became of the codes of the last days. The API counts days in the organization's zone. */
export function codesQuery(organizationId: string, { days = 30, environment }: CodeFilters) {
  const from = new Date(Date.now() - (days - 1) * dayMs).toISOString().slice(0, 10);
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
