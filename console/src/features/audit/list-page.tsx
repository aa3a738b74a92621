import type { AuditEvent } from 'sms-service-client';
import type { ReactNode } from 'react';
import { sms } from '../../api.ts';
import { Page } from '../../design/page.tsx';
import { listQuery } from '../../records/list-query.ts';
import { useOrganization } from '../organizations/organization.ts';
import { AuditTable } from './audit-table.tsx';
import { useText } from './text.ts';

/** Who has changed what in the organization. */
export function ListPage(): ReactNode {
  const t = useText();
  const { organizationId } = useOrganization();
  const query = listQuery<AuditEvent>([organizationId, 'audit-events'], (paging, options) =>
    sms.auditEvents.list({ organizationId, ...paging }, options),
  );
  return (
    <Page title={t('title')} description={t('description')}>
      <AuditTable query={query} />
    </Page>
  );
}
