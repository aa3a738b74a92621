import type { SenderId } from 'sms-service-client';
import type { ReactNode } from 'react';
import { Facts } from '../../design/page.tsx';
import { Notice } from '../../design/states.tsx';
import { useFormat } from '../../i18n/format.ts';
import { SenderStatusBadge } from './sender-status-badge.tsx';
import { useText } from './text.ts';

type Requested = Omit<SenderId, 'requestedBy'>;

/** What was requested, its warnings, and how it was reviewed. `before` is shown above the request. */
export function SenderFacts({
  sender,
  before = [],
}: {
  sender: Requested;
  before?: { name: string; value: ReactNode }[];
}): ReactNode {
  const t = useText();
  const format = useFormat();
  const { status, reviewReason, reviewedAt, warnings, useCase, sampleMessage, website, createdAt } = sender;
  return (
    <div className="flex flex-col gap-4">
      {status === 'rejected' && (
        <Notice tone="danger" title={t('rejectedBecause')}>
          {reviewReason}
        </Notice>
      )}
      {warnings.length > 0 && (
        <Notice tone="warning" title={t('warnings')}>
          <ul className="list-disc pl-4">
            {warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </Notice>
      )}
      <Facts
        facts={[
          { name: t('status'), value: <SenderStatusBadge status={status} /> },
          ...before,
          { name: t('purpose'), value: useCase },
          { name: t('sample'), value: sampleMessage },
          ...(website === null ? [] : [{ name: t('website'), value: website }]),
          { name: t('requestedAt'), value: format.dateTime(createdAt) },
          ...(reviewedAt === null ? [] : [{ name: t('reviewedAt'), value: format.dateTime(reviewedAt) }]),
        ]}
      />
    </div>
  );
}
