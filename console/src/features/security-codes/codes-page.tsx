import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { ShieldCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { Page } from '../../design/page.tsx';
import { Select } from '../../design/select.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../design/states.tsx';
import { useOrganization } from '../organizations/organization.ts';
import { codesQuery } from './codes.ts';
import { Countries } from './countries.tsx';
import { Daily } from './daily.tsx';
import { Funnel } from './funnel.tsx';
import { rangesDays, type CodeFilters } from './routes.tsx';
import { useText } from './text.ts';

const route = getRouteApi('/signed-in/o/$organization/security-codes');
const all = 'all';

/** What became of security codes: how many lead to a verification, by day and by country. */
export function CodesPage(): ReactNode {
  const t = useText();
  const filters = route.useSearch();
  return (
    <Page title={t('title')} description={t('description')}>
      <Filters filters={filters} />
      <Report filters={filters} />
    </Page>
  );
}

function Report({ filters }: { filters: CodeFilters }): ReactNode {
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

function Filters({ filters }: { filters: CodeFilters }): ReactNode {
  const t = useText();
  const navigate = route.useNavigate();
  const { days = 30, environment } = filters;
  const change = (changed: CodeFilters): void => void navigate({ search: changed, replace: true });
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
