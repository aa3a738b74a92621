import type { ReactNode } from 'react';

const height = 200;
const width = 1000;

/** A part of each bar, from below: its name, the class that fills it, and the class of its key. */
export interface BarPart {
  label: string;
  look: string;
  key: string;
}

export interface Bar {
  id: string;
  /** The size of each part, in the order of the parts. */
  values: readonly number[];
}

interface BarChartProps {
  parts: readonly BarPart[];
  bars: readonly Bar[];
  /** What the highest bar stands for. */
  scale: string;
  first: string;
  last: string;
}

/** Bars made of parts. A table near it has the same figures for those who cannot see them. */
export function BarChart({ parts, bars, scale, first, last }: BarChartProps): ReactNode {
  const most = Math.max(1, ...bars.map(sumOf));
  return (
    <figure>
      <figcaption className="mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-1 text-xs text-muted">
        <span className="flex flex-wrap gap-x-4">
          {parts.map(({ label, key }) => (
            <span key={label} className="flex items-center gap-1.5">
              <span aria-hidden className={`size-2.5 rounded-sm ${key}`} />
              {label}
            </span>
          ))}
        </span>
        {scale}
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
        {bars.map((bar, index) => (
          <StackedBar key={bar.id} {...{ bar, parts, index, most }} count={bars.length} />
        ))}
      </svg>
      <div aria-hidden className="mt-2 flex justify-between text-xs text-muted">
        <span>{first}</span>
        <span>{last}</span>
      </div>
    </figure>
  );
}

/** The sum of a bar. */
export function sumOf({ values }: Bar): number {
  return values.reduce((sum, value) => sum + value, 0);
}

function StackedBar(props: {
  bar: Bar;
  parts: readonly BarPart[];
  index: number;
  count: number;
  most: number;
}): ReactNode {
  const { bar, parts, index, count, most } = props;
  const step = width / count;
  const barWidth = Math.min(step * 0.7, 48);
  const x = index * step + (step - barWidth) / 2;
  const toHeight = (value: number): number => (value / most) * height;
  return (
    <g>
      {parts.map(({ label, look }, part) => {
        const top = bar.values.slice(0, part + 1).reduce((sum, value) => sum + value, 0);
        return (
          <rect
            key={label}
            x={x}
            y={height - toHeight(top)}
            width={barWidth}
            height={toHeight(bar.values[part] ?? 0)}
            className={look}
          />
        );
      })}
    </g>
  );
}
