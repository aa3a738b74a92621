import { useQuery } from '@tanstack/react-query';
import type { BulkSms } from 'sms-service-client';
import type { ReactNode } from 'react';
import { Card } from '../../design/page.tsx';
import { ErrorState, Skeleton } from '../../design/states.tsx';
import { useFormat } from '../../i18n/format.ts';
import { useOrganization } from '../organizations/organization.ts';
import { failuresQuery, mostCountedFailures } from './bulk-sms.ts';
import { useText } from './text.ts';

/** Why recipients of a batch got nothing, by code. */
export function Failures({ batch }: { batch: BulkSms }): ReactNode {
  const t = useText();
  const format = useFormat();
  const { organizationId } = useOrganization();
  const { failed } = batch.ledger;
  const { data, error, refetch } = useQuery(failuresQuery(organizationId, batch.id, failed));
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <Card title={t('failures')} className="">
      {data === undefined ? (
        <div className="p-4">
          <Skeleton className="w-1/2" />
        </div>
      ) : (
        <ul className="divide-y divide-line">
          {data.map(({ code, message, count }) => (
            <li key={code} className="flex items-baseline gap-4 px-4 py-2.5">
              <span className="min-w-0 flex-1">
                <span className="block font-mono text-sm">{code}</span>
                <span className="block text-sm text-muted">{message}</span>
              </span>
              <span className="font-medium tabular-nums">{format.number(count)}</span>
            </li>
          ))}
        </ul>
      )}
      {failed > mostCountedFailures && (
        <p className="border-t border-line px-4 py-2.5 text-sm text-muted">
          {t('failuresCounted', { count: format.number(mostCountedFailures) })}
        </p>
      )}
    </Card>
  );
}
