import { useQuery } from '@tanstack/react-query';
import type { BulkSms, BulkSmsFailures } from 'sms-service-client';
import type { ReactNode } from 'react';
import { ButtonLink } from '../../design/button.tsx';
import { Card } from '../../design/page.tsx';
import { ErrorState, Skeleton } from '../../design/states.tsx';
import { useFormat } from '../../i18n/format.ts';
import { useUser } from '../auth/session.ts';
import { useOrganization } from '../organizations/organization.ts';
import { failuresQuery } from './bulk-sms.ts';
import { useText } from './text.ts';

/** The codes that people can act on or understand; the catalogue of errors has the others. */
const explainedCodes = [
  ...([
    'recipient_opted_out',
    'duplicate_recipient',
    'invalid_recipient',
    'undelivered',
    'smsc_rejected',
  ] as const),
  ...([
    'gateway_rejected',
    'not_routable',
    'dlr_timeout',
    'validity_expired',
    'sender_not_approved',
  ] as const),
  ...(['text_empty', 'text_too_long'] as const),
];

/** Why recipients of a batch got nothing, by code, and how those can be sent to again. */
export function Failures({ batch }: { batch: BulkSms }): ReactNode {
  const t = useText();
  const { organizationId } = useOrganization();
  const { data, error, refetch } = useQuery(failuresQuery(organizationId, batch.id, batch.ledger.failed));
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <Card title={t('failures')} className="">
      {data === undefined ? (
        <div className="p-4">
          <Skeleton className="w-1/2" />
        </div>
      ) : (
        <ul className="divide-y divide-line">
          {data.errorCodes.map((failure) => (
            <FailureRow key={failure.errorCode} failure={failure} failed={data.failed} />
          ))}
        </ul>
      )}
      <SendAgain batch={batch} />
    </Card>
  );
}

function FailureRow({
  failure: { errorCode, recipients },
  failed,
}: {
  failure: BulkSmsFailures['errorCodes'][number];
  failed: number;
}): ReactNode {
  const t = useText();
  const format = useFormat();
  const explained = explainedCodes.find((code) => code === errorCode);
  return (
    <li className="flex items-baseline gap-4 px-4 py-2.5">
      <span className="min-w-0 flex-1">
        <span className="block font-mono text-sm">{errorCode ?? t('noMessage')}</span>
        {explained !== undefined && (
          <span className="block text-sm text-muted">{t(`reason_${explained}`)}</span>
        )}
      </span>
      <span className="text-sm text-muted tabular-nums">{format.percent(recipients / failed)}</span>
      <span className="w-16 text-right font-medium tabular-nums">{format.number(recipients)}</span>
    </li>
  );
}

/** Only administrators of the service send failed messages again. Others are told whom to ask. */
function SendAgain({ batch }: { batch: BulkSms }): ReactNode {
  const t = useText();
  const isAdministrator = useUser().role === 'admin';
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line px-4 py-2.5 text-sm text-muted">
      <span className="min-w-0 flex-1 basis-56">{t('redriveHint')}</span>
      {isAdministrator && (
        <ButtonLink
          size="small"
          to="/admin/redrives"
          search={{
            start: 'messages',
            organizationId: batch.organizationId,
            from: batch.startedAt ?? batch.createdAt,
          }}
        >
          {t('redriveFailed')}
        </ButtonLink>
      )}
    </div>
  );
}
