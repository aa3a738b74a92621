import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { ChartColumn, Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { DownloadLink } from '../../design/button.tsx';
import { Page } from '../../design/page.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../design/states.tsx';
import { ReportFilterBar } from '../../reports/report-filter-bar.tsx';
import { firstDayOf, type ReportFilters } from '../../reports/report-filters.ts';
import { useOrganization } from '../organizations/organization.ts';
import { Breakdowns } from './breakdowns.tsx';
import { Daily } from './daily.tsx';
import { reportQuery } from './report.ts';
import { rangesDays } from './routes.tsx';
import { useText } from './text.ts';
import { Totals } from './totals.tsx';

const route = getRouteApi('/signed-in/o/$organization/analytics');

/** The figures of the organization's messages: in total, by day, by sender, by campaign and by failure. */
export function ReportPage(): ReactNode {
  const t = useText();
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const { organizationId, isManager } = useOrganization();
  const { environment } = filters;
  const csv = new URLSearchParams({
    ...{ organizationId, report: 'daily', from: firstDayOf(filters) },
    ...(environment && { environment }),
  });
  return (
    <Page
      title={t('title')}
      actions={
        isManager && (
          <DownloadLink
            href={`/api/v1/analytics/export?${csv}`}
            icon={<Download aria-hidden className="size-4" />}
          >
            {t('csv')}
          </DownloadLink>
        )
      }
    >
      <ReportFilterBar
        filters={filters}
        rangesDays={rangesDays}
        onChange={(changed) => void navigate({ search: changed, replace: true })}
      />
      <Report filters={filters} />
    </Page>
  );
}

function Report({ filters }: { filters: ReportFilters }): ReactNode {
  const t = useText();
  const { organizationId } = useOrganization();
  const { data: report, error, refetch } = useQuery(reportQuery(organizationId, filters));
  if (report === undefined) {
    return error === null ? <ReportSkeleton /> : <ErrorState error={error} onRetry={() => void refetch()} />;
  }
  if (report.totals.messages === 0) {
    return (
      <div className="rounded-lg border border-line bg-surface">
        <EmptyState icon={ChartColumn} title={t('none')} description={t('noneHint')} />
      </div>
    );
  }
  return (
    <>
      <p className="text-sm text-muted">{t('zone', { zone: report.timezone })}</p>
      <Totals totals={report.totals} />
      <Daily days={report.daily} />
      <Breakdowns report={report} />
    </>
  );
}

function ReportSkeleton(): ReactNode {
  const t = useText();
  return (
    <div role="status" aria-label={t('loading')} className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      {['messages', 'delivered', 'failed', 'rate'].map((name) => (
        <Skeleton key={name} className="h-20" />
      ))}
    </div>
  );
}
