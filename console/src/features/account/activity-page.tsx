import type { SecurityEvent } from 'sms-service-client';
import type { ReactNode } from 'react';
import { sms } from '../../api.ts';
import { Page } from '../../design/page.tsx';
import { listQuery } from '../../records/list-query.ts';
import { SecurityEvents } from './security-events.tsx';
import { useText } from './text.ts';

const query = listQuery<SecurityEvent>(['account', 'security-events'], (paging, options) =>
  sms.auth.listSecurityEvents(paging, options),
);

/** What happened to the user's own account. */
export function ActivityPage(): ReactNode {
  const t = useText();
  return (
    <Page title={t('activityTitle')} description={t('activityDescription')} width="narrow">
      <SecurityEvents query={query} />
    </Page>
  );
}
