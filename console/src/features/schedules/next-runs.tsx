import type { ReactNode } from 'react';
import { useFormat } from '../../i18n/format.ts';
import { readersTimezone } from './local-time.ts';
import { useText } from './text.ts';

/** When a schedule runs next, in its zone, and in the reader's if that is another one. */
export function NextRuns({
  runs,
  timezone,
}: {
  runs: readonly (string | Date)[];
  timezone: string;
}): ReactNode {
  const t = useText();
  const format = useFormat();
  const own = readersTimezone();
  const isOwn = own === timezone;
  if (runs.length === 0) return <p className="text-muted">{t('noRuns')}</p>;
  return (
    <table aria-label={t('nextRuns')} className="w-full text-sm">
      <thead className="text-left text-xs text-muted">
        <tr>
          <th scope="col" className="pb-1.5 font-medium">
            {timezone}
          </th>
          {!isOwn && (
            <th scope="col" className="pb-1.5 font-medium">
              {t('yourTime', { zone: own })}
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {runs.map((run) => (
          <tr key={String(run)} className="border-t border-line">
            <td className="py-1.5 pr-3">{format.dateTimeIn(run, timezone)}</td>
            {!isOwn && <td className="py-1.5 text-muted">{format.dateTimeIn(run, own)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
