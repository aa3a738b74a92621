import type { AnalyticsDay } from 'sms-service-client';
import type { ReactNode } from 'react';
import { useFormat } from '../../i18n/format.ts';
import { useText } from './text.ts';

const height = 200;
const width = 1000;

/** The parts of a bar, from below. Together they are all messages of the day. */
const parts = [
  { name: 'delivered', look: 'fill-success', key: 'bg-success' },
  { name: 'underWay', look: 'fill-info', key: 'bg-info' },
  { name: 'failed', look: 'fill-danger', key: 'bg-danger' },
] as const;

/** The messages of each day as bars. The table below has the same figures for those who cannot see them. */
export function DailyChart({ days }: { days: AnalyticsDay[] }): ReactNode {
  const t = useText();
  const format = useFormat();
  const most = Math.max(1, ...days.map(({ messages }) => messages));
  const first = days[0];
  const last = days.at(-1);
  return (
    <figure>
      <figcaption className="mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-1 text-xs text-muted">
        <span className="flex flex-wrap gap-x-4">
          {parts.map(({ name, key }) => (
            <span key={name} className="flex items-center gap-1.5">
              <span aria-hidden className={`size-2.5 rounded-sm ${key}`} />
              {t(name)}
            </span>
          ))}
        </span>
        {t('mostADay', { count: most })}
      </figcaption>
      <svg
        aria-hidden
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        className="h-48 w-full overflow-visible"
      >
        {[0, 0.5, 1].map((share) => (
          <line
            key={share}
            x1={0}
            x2={width}
            y1={height * share}
            y2={height * share}
            className="stroke-line"
            vectorEffect="non-scaling-stroke"
          />
        ))}
        {days.map((day, index) => (
          <Bar key={day.date} day={day} index={index} count={days.length} most={most} />
        ))}
      </svg>
      <div aria-hidden className="mt-2 flex justify-between text-xs text-muted">
        <span>{first && format.day(first.date)}</span>
        <span>{last && format.day(last.date)}</span>
      </div>
    </figure>
  );
}

function Bar(props: { day: AnalyticsDay; index: number; count: number; most: number }): ReactNode {
  const { day, index, count, most } = props;
  const { delivered, failed, cancelled, messages } = day;
  const step = width / count;
  const barWidth = Math.min(step * 0.7, 48);
  const x = index * step + (step - barWidth) / 2;
  const underWay = messages - delivered - failed - cancelled;
  const values = { delivered, underWay, failed: failed + cancelled };
  const below = { delivered: 0, underWay: delivered, failed: delivered + underWay };
  const toHeight = (value: number): number => (value / most) * height;
  return (
    <g>
      {parts.map(({ name, look }) => (
        <rect
          key={name}
          x={x}
          y={height - toHeight(below[name] + values[name])}
          width={barWidth}
          height={toHeight(values[name])}
          className={look}
        />
      ))}
    </g>
  );
}
