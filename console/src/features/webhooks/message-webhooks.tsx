import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Card } from '../../design/page.tsx';
import { ErrorState } from '../../design/states.tsx';
import { useFormat } from '../../i18n/format.ts';
import { useOrganization } from '../organizations/organization.ts';
import { deliveriesOfMessageQuery } from './deliveries.ts';
import { DeliveryDialog } from './delivery-dialog.tsx';
import { DeliveryStatusBadge } from './delivery-status-badge.tsx';
import { useText } from './text.ts';

/** The webhooks of one message; each opens with its request and the answers. Nothing for a message without a webhook. */
export function MessageWebhooks({ messageId }: { messageId: string }): ReactNode {
  const t = useText();
  const format = useFormat();
  const { organizationId, isManager } = useOrganization();
  const [openId, setOpenId] = useState<string>();
  const { data, error, refetch } = useQuery(deliveriesOfMessageQuery(organizationId, messageId));
  if (data === undefined) {
    return error === null ? null : <ErrorState error={error} onRetry={() => void refetch()} />;
  }
  if (data.data.length === 0) return null;
  return (
    <Card title={t('ofMessage')} className="">
      <ul className="divide-y divide-line">
        {data.data.toReversed().map(({ id, event, status, lastAttempt }) => (
          <li key={id}>
            <button
              type="button"
              onClick={() => setOpenId(id)}
              className="flex min-h-11 w-full flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2 text-left hover:bg-hover"
            >
              <span className="min-w-0 flex-1 font-mono text-sm">{event}</span>
              {lastAttempt !== null && (
                <span className="text-sm text-muted">
                  {lastAttempt.httpStatus === null
                    ? (lastAttempt.error?.code ?? t('underWay'))
                    : t('httpStatus', { status: String(lastAttempt.httpStatus) })}
                  {lastAttempt.durationMs !== null && ` · ${format.duration(lastAttempt.durationMs)}`}
                </span>
              )}
              <DeliveryStatusBadge status={status} />
            </button>
          </li>
        ))}
      </ul>
      <DeliveryDialog
        delivery={data.data.find(({ id }) => id === openId)}
        mayRedrive={isManager}
        onClose={() => setOpenId(undefined)}
      />
    </Card>
  );
}
