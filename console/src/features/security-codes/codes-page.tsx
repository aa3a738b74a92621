import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { ShieldCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { Page } from '../../design/page.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../design/states.tsx';
import { ReportFilterBar } from '../../reports/report-filter-bar.tsx';
import type { ReportFilters } from '../../reports/report-filters.ts';
import { useOrganization } from '../organizations/organization.ts';
import { codesQuery } from './codes.ts';
import { Countries } from './countries.tsx';
import { Daily } from './daily.tsx';
import { Funnel } from './funnel.tsx';
import { rangesDays } from './routes.tsx';
import { useText } from './text.ts';

const route = getRouteApi('/signed-in/o/$organization/security-codes');

/** What became of security codes: how many lead to a verification, by day and by country. */
export function CodesPage(): ReactNode {
  const t = useText();
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Page title={t('title')} description={t('description')}>
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
  const { data: report, error, refetch } = useQuery(codesQuery(organizationId, filters));
  if (report === undefined) {
    return error === null ? <ReportSkeleton /> : <ErrorState error={error} onRetry={() => void refetch()} />;
  }
  if (report.totals.codes === 0) {
    return (
      <div className="rounded-lg border border-line bg-surface">
        <EmptyState icon={ShieldCheck} title={t('none')} description={t('noneHint')} />
      </div>
    );
  }
  return (
    <>
      <p className="text-sm text-muted">{t('zone', { zone: report.timezone })}</p>
      <Funnel totals={report.totals} />
      <Daily days={report.daily} />
      <Countries countries={report.countries} />
    </>
  );
}

function ReportSkeleton(): ReactNode {
  const t = useText();
  return (
    <div role="status" aria-label={t('loading')} className="flex flex-col gap-3">
      <Skeleton className="h-44" />
      <Skeleton className="h-64" />
    </div>
  );
}
