import type { SecurityCodeAnalytics } from 'sms-service-client';
import { useMemo, type ReactNode } from 'react';
import { BarChart, sumOf, type Bar } from '../../design/bar-chart.tsx';
import { Card } from '../../design/page.tsx';
import { Table, type Column } from '../../design/table.tsx';
import { useFormat } from '../../i18n/format.ts';
import { useText } from './text.ts';

type Day = SecurityCodeAnalytics['daily'][number];

/** The codes of each day, as bars and as a table of the same figures. */
export function Daily({ days }: { days: readonly Day[] }): ReactNode {
  const t = useText();
  const format = useFormat();
  const columns = useColumns();
  const newestFirst = useMemo(() => days.filter(({ counts }) => counts.codes > 0).toReversed(), [days]);
  const bars = days.map(toBar);
  const [first, last] = [days[0], days.at(-1)];
  return (
    <>
      <Card title={t('byDay')}>
        <BarChart
          parts={[
            { label: t('verified'), look: 'fill-success', key: 'bg-success' },
            { label: t('pending'), look: 'fill-info', key: 'bg-info' },
            { label: t('notVerified'), look: 'fill-danger', key: 'bg-danger' },
          ]}
          bars={bars}
          scale={t('mostADay', { count: Math.max(1, ...bars.map(sumOf)) })}
          first={first === undefined ? '' : format.day(first.date)}
          last={last === undefined ? '' : format.day(last.date)}
        />
      </Card>
      <Table label={t('byDay')} columns={columns} rows={newestFirst} rowId={({ date }) => date} />
    </>
  );
}

function toBar({ date, counts: { codes, verified, pending } }: Day): Bar {
  return { id: date, values: [verified, pending, codes - verified - pending] };
}

function useColumns(): Column<Day>[] {
  const t = useText();
  const format = useFormat();
  return useMemo(
    () => [
      { id: 'date', header: t('day'), cell: ({ date }) => format.day(date) },
      ...(['codes', 'delivered', 'verified', 'expired', 'blocked'] as const).map((name): Column<Day> => ({
        id: name,
        header: t(name),
        width: 'w-28 max-sm:w-22',
        align: 'end',
        isHiddenOnPhone: name !== 'codes' && name !== 'verified',
        cell: ({ counts }) => <span className="tabular-nums">{format.number(counts[name])}</span>,
      })),
      {
        id: 'rate',
        header: t('rate'),
        width: 'w-28 max-sm:w-22',
        align: 'end',
        cell: ({ counts: { conversionRate } }) =>
          conversionRate === null ? '–' : format.percent(conversionRate),
      },
    ],
    [format, t],
  );
}
