import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorState, Skeleton } from '../../../design/states.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { useSettled } from '../../../use-settled.ts';
import { useOrganization } from '../../organizations/organization.ts';
import { estimateQuery } from '../bulk-sms.ts';
import { useText } from '../text.ts';

interface EstimateProps {
  contactListId: string;
  text: string;
}

/** What the batch would send and bill if it started now, and who gets nothing, and why. */
export function Estimate({ contactListId, text }: EstimateProps): ReactNode {
  const t = useText();
  const format = useFormat();
  const { organizationId } = useOrganization();
  const settled = useSettled(text);
  const { data, error, refetch } = useQuery(
    estimateQuery(settled === '' ? null : { organizationId, contactListId, text: settled }),
  );
  if (data === undefined) {
    return error === null ? (
      <Skeleton className="w-2/3" />
    ) : (
      <ErrorState error={error} onRetry={() => void refetch()} />
    );
  }
  const { messages, recipients, segments, longestSegments, encodings, refused, unsendableTexts } = data;
  const skipped = [
    ...(['optedOut', 'duplicates', 'invalid'] as const).map((reason) => ({
      name: t(`refused_${reason}`),
      count: refused[reason],
    })),
    { name: t('unsendable'), count: unsendableTexts },
  ].filter(({ count }) => count > 0);
  const figures = [
    { name: t('recipients'), value: recipients },
    { name: t('messages'), value: messages },
    { name: t('segments'), value: segments },
    { name: t('longest'), value: longestSegments },
  ];
  return (
    <div className="flex flex-col gap-3">
      <dl className="grid grid-cols-2 gap-4 sm:grid-cols-4">
        {figures.map(({ name, value }) => (
          <div key={name}>
            <dt className="text-sm text-muted">{name}</dt>
            <dd className="text-xl font-semibold tabular-nums">{format.number(value)}</dd>
          </div>
        ))}
      </dl>
      {encodings.ucs2 > 0 && (
        <p className="text-sm text-muted">
          {t('inUnicode', { count: encodings.ucs2, messages: format.number(encodings.ucs2) })}
        </p>
      )}
      {skipped.length > 0 && (
        <p className="text-sm text-warning">
          {t('skipped', {
            reasons: skipped.map(({ name, count }) => `${name}: ${format.number(count)}`).join(' · '),
          })}
        </p>
      )}
    </div>
  );
}
