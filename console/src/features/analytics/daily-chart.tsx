import type { AnalyticsDay } from 'sms-service-client';
import type { ReactNode } from 'react';
import { BarChart, sumOf, type Bar } from '../../design/bar-chart.tsx';
import { useFormat } from '../../i18n/format.ts';
import { useText } from './text.ts';

/** The messages of each day as bars. The parts of a bar are together all messages of the day. */
export function DailyChart({ days }: { days: AnalyticsDay[] }): ReactNode {
  const t = useText();
  const format = useFormat();
  const bars = days.map(toBar);
  const [first, last] = [days[0], days.at(-1)];
  return (
    <BarChart
      parts={[
        { label: t('delivered'), look: 'fill-success', key: 'bg-success' },
        { label: t('underWay'), look: 'fill-info', key: 'bg-info' },
        { label: t('failed'), look: 'fill-danger', key: 'bg-danger' },
      ]}
      bars={bars}
      scale={t('mostADay', { count: Math.max(1, ...bars.map(sumOf)) })}
      first={first === undefined ? '' : format.day(first.date)}
      last={last === undefined ? '' : format.day(last.date)}
    />
  );
}

function toBar({ date, messages, delivered, failed, cancelled }: AnalyticsDay): Bar {
  return { id: date, values: [delivered, messages - delivered - failed - cancelled, failed + cancelled] };
}
