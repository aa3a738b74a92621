import { ShieldQuestion } from 'lucide-react';
import type { SecurityEvent } from 'sms-service-client';
import type { ReactNode } from 'react';
import { Badge } from '../../design/badge.tsx';
import { Button } from '../../design/button.tsx';
import { EmptyState, ErrorState } from '../../design/states.tsx';
import { TableSkeleton } from '../../design/table.tsx';
import { useFormat } from '../../i18n/format.ts';
import type { ListQuery } from '../../records/list-query.ts';
import { useList } from '../../records/use-list.ts';
import { describeDevice } from './describe-device.ts';
import { useText } from './text.ts';

/** What happened to an account, newest first. */
export function SecurityEvents({ query }: { query: ListQuery<SecurityEvent> }): ReactNode {
  const t = useText();
  const { items, error, isPending, refetch, hasMore, loadMore, isLoadingMore } = useList(query);
  if (isPending) return <TableSkeleton rows={4} />;
  if (error !== null) return <ErrorState error={error} onRetry={refetch} />;
  if (items.length === 0)
    return <EmptyState icon={ShieldQuestion} title={t('noEvents')} description={t('noEventsHint')} />;
  return (
    <>
      <ul className="divide-y divide-line overflow-clip rounded-lg border border-line bg-surface shadow-raised">
        {items.map((event) => (
          <EventRow key={event.id} event={event} />
        ))}
      </ul>
      {hasMore && (
        <Button className="self-center" isPending={isLoadingMore} onClick={loadMore}>
          {t('more')}
        </Button>
      )}
    </>
  );
}

function EventRow({ event }: { event: SecurityEvent }): ReactNode {
  const t = useText();
  const format = useFormat();
  const { at, kind, method, ipAddress, userAgent, administratorId } = event;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5">
      <div className="min-w-0 flex-1 max-sm:basis-full">
        <p className="flex flex-wrap items-center gap-2">
          {t(`kind_${kind}`)}
          {kind === 'sign_in_failed' && <Badge tone="warning">{t('refused')}</Badge>}
        </p>
        <p className="truncate text-sm text-muted" title={userAgent ?? ''}>
          {[
            method !== null && t(`method_${method}`),
            administratorId === null
              ? `${describeDevice(userAgent ?? '') ?? t('unknownDevice')} · ${ipAddress ?? t('unknownAddress')}`
              : t('byAdministrator'),
          ]
            .filter((part) => part !== false)
            .join(' · ')}
        </p>
      </div>
      <time dateTime={at} className="text-sm text-muted">
        {format.dateTime(at)}
      </time>
    </li>
  );
}
