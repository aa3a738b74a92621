import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { ChartColumn, Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { DownloadLink } from '../../design/button.tsx';
import { Page } from '../../design/page.tsx';
import { Select } from '../../design/select.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../design/states.tsx';
import { useOrganization } from '../organizations/organization.ts';
import { Breakdowns } from './breakdowns.tsx';
import { Daily } from './daily.tsx';
import { firstDayOf, reportQuery } from './report.ts';
import { rangesDays, type ReportFilters } from './routes.tsx';
import { useText } from './text.ts';
import { Totals } from './totals.tsx';

const route = getRouteApi('/signed-in/o/$organization/analytics');
const all = 'all';

/** The figures of the organization's messages: in total, by day, by sender, by campaign and by failure. */
export function ReportPage(): ReactNode {
  const t = useText();
  const filters = route.useSearch();
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
      <Filters filters={filters} />
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

function Filters({ filters }: { filters: ReportFilters }): ReactNode {
  const t = useText();
  const navigate = route.useNavigate();
  const { days = 30, environment } = filters;
  const change = (changed: ReportFilters): void => void navigate({ search: changed, replace: true });
  return (
    <search className="flex flex-wrap items-center gap-2">
      <Select
        label={t('range')}
        className="w-44 max-sm:flex-1"
        options={rangesDays.map((value) => ({
          value: String(value),
          label: t('lastDays', { count: value }),
        }))}
        value={String(days)}
        onChange={(value) =>
          change({ ...filters, days: rangesDays.find((range) => String(range) === value) ?? 30 })
        }
      />
      <Select
        label={t('environment')}
        className="w-40 max-sm:flex-1"
        options={[
          { value: all, label: t('liveAndTest') },
          { value: 'live', label: t('live') },
          { value: 'test', label: t('test') },
        ]}
        value={environment ?? all}
        onChange={(value) =>
          change({ days, ...(value !== all && { environment: value === 'live' ? 'live' : 'test' }) })
        }
      />
    </search>
  );
}
