import type { ReactNode } from 'react';

/** How much of something is done. */
export function Progress({ label, value, max }: { label: string; value: number; max: number }): ReactNode {
  const share = max === 0 ? 0 : Math.min(1, value / max);
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuenow={value}
      aria-valuemin={0}
      aria-valuemax={max}
      className="h-2 overflow-hidden rounded-full bg-hover"
    >
      <div
        className="h-full rounded-full bg-accent transition-[width]"
        style={{ width: `${share * 100}%` }}
      />
    </div>
  );
}
