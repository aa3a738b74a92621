import type { ReactNode } from 'react';
import { Select } from '../design/select.tsx';
import { defaultDays, type ReportFilters } from './report-filters.ts';
import { useText } from './text.ts';

const all = 'all';

/**
 * Chooses the days and the environment of a report.
 *
 * @param rangesDays the numbers of days that the report offers
 */
export function ReportFilterBar({
  filters,
  rangesDays,
  onChange,
}: {
  filters: ReportFilters;
  rangesDays: readonly number[];
  onChange: (changed: ReportFilters) => void;
}): ReactNode {
  const t = useText();
  const { days = defaultDays, environment } = filters;
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
        onChange={(value) => onChange({ ...filters, days: Number(value) })}
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
          onChange({ days, ...(value !== all && { environment: value === 'live' ? 'live' : 'test' }) })
        }
      />
    </search>
  );
}
