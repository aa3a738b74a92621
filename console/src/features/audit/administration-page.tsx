import type { AuditEvent } from 'sms-service-client';
import type { ReactNode } from 'react';
import { sms } from '../../api.ts';
import { Page } from '../../design/page.tsx';
import { listQuery } from '../../records/list-query.ts';
import { AuditTable } from './audit-table.tsx';
import { useText } from './text.ts';

const query = listQuery<AuditEvent>(['administration', 'audit-events'], (paging, options) =>
  sms.admin.listAuditEvents(paging, options),
);

/** Who has changed what in all organizations, for administrators of the service. */
export function AdministrationPage(): ReactNode {
  const t = useText();
  return (
    <Page title={t('title')} description={t('administrationDescription')}>
      <AuditTable query={query} />
    </Page>
  );
}
