import type { ReactNode } from 'react';
import { useFormat } from '../i18n/format.ts';

/** How long ago a time was, with the time itself as the tooltip. */
export function Ago({ at }: { at: string }): ReactNode {
  const format = useFormat();
  return (
    <time dateTime={at} title={format.dateTime(at)} className="text-sm text-muted">
      {format.ago(at)}
    </time>
  );
}
