import { Link } from '@tanstack/react-router';
import { Megaphone, Plus } from 'lucide-react';
import type { BulkSms } from 'sms-service-client';
import { useMemo, type ReactNode } from 'react';
import { Ago } from '../../design/ago.tsx';
import { ButtonLink } from '../../design/button.tsx';
import { Page } from '../../design/page.tsx';
import { EmptyState } from '../../design/states.tsx';
import type { Column } from '../../design/table.tsx';
import { useFormat } from '../../i18n/format.ts';
import { List } from '../../records/list.tsx';
import { useList } from '../../records/use-list.ts';
import { useOrganization } from '../organizations/organization.ts';
import { BatchStatusBadge } from './batch-status-badge.tsx';
import { batchesQuery } from './bulk-sms.ts';
import { LedgerBar } from './ledger.tsx';
import { useText } from './text.ts';

/** The batches of the organization, each with its progress. */
export function BatchesPage(): ReactNode {
  const t = useText();
  const { organizationId, slug } = useOrganization();
  const columns = useColumns();
  const list = useList(batchesQuery(organizationId));
  const create = { to: '/o/$organization/bulk-sms/new', params: { organization: slug } } as const;
  return (
    <Page
      title={t('title')}
      actions={
        <ButtonLink {...create} variant="primary" icon={<Plus aria-hidden className="size-4" />}>
          {t('create')}
        </ButtonLink>
      }
    >
      <List
        list={list}
        label={t('title')}
        columns={columns}
        empty={
          <EmptyState
            icon={Megaphone}
            title={t('none')}
            description={t('noneHint')}
            action={<ButtonLink {...create}>{t('create')}</ButtonLink>}
          />
        }
      />
    </Page>
  );
}

function useColumns(): Column<BulkSms>[] {
  const t = useText();
  const format = useFormat();
  const { slug } = useOrganization();
  return useMemo(
    () => [
      {
        id: 'text',
        header: t('text'),
        cell: ({ id, text }) => (
          <Link
            to="/o/$organization/bulk-sms/$bulkSmsId"
            params={{ organization: slug, bulkSmsId: id }}
            className="row-link"
          >
            {text}
          </Link>
        ),
      },
      {
        id: 'status',
        header: t('status'),
        width: 'w-32',
        cell: ({ status }) => <BatchStatusBadge status={status} />,
      },
      {
        id: 'ledger',
        header: t('progress'),
        width: 'w-56',
        isHiddenOnPhone: true,
        cell: ({ ledger }) => <LedgerBar ledger={ledger} />,
      },
      {
        id: 'total',
        header: t('recipients'),
        width: 'w-28 max-sm:w-22',
        align: 'end',
        cell: ({ ledger }) => <span className="tabular-nums">{format.number(ledger.total)}</span>,
      },
      {
        id: 'createdAt',
        header: t('created'),
        width: 'w-28',
        align: 'end',
        isHiddenOnPhone: true,
        cell: ({ createdAt }) => <Ago at={createdAt} />,
      },
    ],
    [format, slug, t],
  );
}
