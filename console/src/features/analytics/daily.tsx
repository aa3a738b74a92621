import type { AnalyticsDay } from 'sms-service-client';
import { lazy, Suspense, useEffect, useRef, useState, type ReactNode } from 'react';
import { Card } from '../../design/page.tsx';
import { Skeleton } from '../../design/states.tsx';
import { Table, type Column } from '../../design/table.tsx';
import { useFormat } from '../../i18n/format.ts';
import { useMemo } from 'react';
import { useText } from './text.ts';

const DailyChart = lazy(async () => ({ default: (await import('./daily-chart.tsx')).DailyChart }));

/** The figures of each day: as a chart, which is loaded when it is looked at, and as a table of the same figures. */
export function Daily({ days }: { days: AnalyticsDay[] }): ReactNode {
  const t = useText();
  const { place, isSeen } = useIsSeen();
  const columns = useColumns();
  const newestFirst = useMemo(() => days.filter(({ messages }) => messages > 0).toReversed(), [days]);
  return (
    <>
      <Card title={t('byDay')}>
        <div ref={place} className="min-h-56">
          {isSeen && (
            <Suspense fallback={<Skeleton className="h-56" />}>
              <DailyChart days={days} />
            </Suspense>
          )}
        </div>
      </Card>
      <Table label={t('byDay')} columns={columns} rows={newestFirst} rowId={({ date }) => date} />
    </>
  );
}

function useIsSeen() {
  const place = useRef<HTMLDivElement>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
    });
    if (place.current !== null) observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  return { place, isSeen };
}

function useColumns(): Column<AnalyticsDay>[] {
  const t = useText();
  const format = useFormat();
  return useMemo(
    () => [
      { id: 'date', header: t('day'), cell: ({ date }) => format.day(date) },
      ...(['messages', 'delivered', 'failed'] as const).map((name): Column<AnalyticsDay> => ({
        id: name,
        header: t(name),
        width: 'w-32 max-sm:w-22',
        align: 'end',
        cell: (day) => <span className="tabular-nums">{format.number(day[name])}</span>,
      })),
      {
        id: 'rate',
        header: t('deliveryRate'),
        width: 'w-32',
        align: 'end',
        isHiddenOnPhone: true,
        cell: ({ deliveryRate }) => (deliveryRate === null ? '–' : format.percent(deliveryRate)),
      },
      {
        id: 'segments',
        header: t('segments'),
        width: 'w-32',
        align: 'end',
        isHiddenOnPhone: true,
        cell: ({ segments }) => format.number(segments),
      },
    ],
    [format, t],
  );
}
