import type { WebhookDelivery } from 'sms-service-client';
import { useMemo } from 'react';
import { Ago } from '../../design/ago.tsx';
import type { Column } from '../../design/table.tsx';
import { useFormat } from '../../i18n/format.ts';
import { DeliveryStatusBadge } from './delivery-status-badge.tsx';
import { useText } from './text.ts';

/** The columns of a list of deliveries. The whole row opens the delivery. */
export function useDeliveryColumns(open: (deliveryId: string) => void): Column<WebhookDelivery>[] {
  const t = useText();
  const format = useFormat();
  return useMemo(
    () => [
      {
        id: 'event',
        header: t('event'),
        width: 'w-44 max-sm:w-auto',
        cell: ({ id, event }) => (
          <button type="button" className="row-link font-mono text-sm" onClick={() => open(id)}>
            {event}
          </button>
        ),
      },
      {
        id: 'url',
        header: t('url'),
        isHiddenOnPhone: true,
        cell: ({ url }) => <span className="text-muted">{url}</span>,
      },
      {
        id: 'status',
        header: t('status'),
        width: 'w-32 max-sm:w-28',
        cell: ({ status }) => <DeliveryStatusBadge status={status} />,
      },
      {
        id: 'answer',
        header: t('lastAnswer'),
        width: 'w-40',
        isHiddenOnPhone: true,
        cell: ({ lastAttempt }) => (
          <span className="text-sm text-muted">
            {lastAttempt === null
              ? t('noAttempt')
              : lastAttempt.httpStatus === null
                ? (lastAttempt.error?.code ?? t('underWay'))
                : t('httpStatus', { status: String(lastAttempt.httpStatus) })}
          </span>
        ),
      },
      {
        id: 'attempts',
        header: t('attempts'),
        width: 'w-24',
        align: 'end',
        isHiddenOnPhone: true,
        cell: ({ attempts }) => format.number(attempts),
      },
      {
        id: 'createdAt',
        header: t('created'),
        width: 'w-28 max-sm:w-16',
        align: 'end',
        cell: ({ createdAt }) => <Ago at={createdAt} />,
      },
    ],
    [format, open, t],
  );
}
