import type { ReactNode } from 'react';
import { useFormat } from '../i18n/format.ts';

/** How long ago a time was, on a phone as short as possible, with the time itself as the tooltip. */
export function Ago({ at }: { at: string }): ReactNode {
  const format = useFormat();
  return (
    <time dateTime={at} title={format.dateTime(at)} className="text-sm text-muted">
      <span className="max-sm:hidden">{format.ago(at)}</span>
      <span className="sm:hidden">{format.age(at)}</span>
    </time>
  );
}
