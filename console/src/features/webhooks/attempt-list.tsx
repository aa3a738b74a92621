import type { WebhookAttempt } from 'sms-service-client';
import type { ReactNode } from 'react';
import { ErrorState, Skeleton } from '../../design/states.tsx';
import { useFormat } from '../../i18n/format.ts';
import { useText } from './text.ts';

/** Every attempt of a delivery with its answer, the newest first. */
export function AttemptList({
  attempts,
  error,
}: {
  attempts: WebhookAttempt[] | undefined;
  error: unknown;
}): ReactNode {
  const t = useText();
  const format = useFormat();
  if (attempts === undefined) return error ? <ErrorState error={error} /> : <Skeleton className="w-2/3" />;
  if (attempts.length === 0) return <p className="text-sm text-muted">{t('noAttempt')}</p>;
  return (
    <div className="overflow-x-auto rounded-md border border-line">
      <table aria-label={t('attempts')} className="w-full border-collapse text-sm">
        <thead className="bg-sunken text-left text-xs text-muted">
          <tr>
            {[t('attempt'), t('answer'), t('duration'), t('time')].map((header) => (
              <th key={header} scope="col" className="h-8 px-3 font-medium">
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {attempts.map(({ number, httpStatus, error: failure, durationMs, at }) => (
            <tr key={number} className="border-t border-line">
              <td className="h-9 px-3">{format.number(number)}</td>
              <td className="px-3">
                {httpStatus === null
                  ? (failure?.code ?? t('underWay'))
                  : t('httpStatus', { status: String(httpStatus) })}
              </td>
              <td className="px-3 text-muted">{durationMs === null ? '–' : format.duration(durationMs)}</td>
              <td className="px-3 text-muted">{format.dateTime(at)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
