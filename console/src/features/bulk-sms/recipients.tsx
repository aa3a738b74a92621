import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Download, Users } from 'lucide-react';
import type { BulkSms, BulkSmsMessage } from 'sms-service-client';
import { useEffect, useMemo, useState, type ReactNode } from 'react';
import { DownloadLink } from '../../design/download-link.tsx';
import { SearchField } from '../../design/search-field.tsx';
import { Select } from '../../design/select.tsx';
import { EmptyState } from '../../design/states.tsx';
import type { Column } from '../../design/table.tsx';
import { List } from '../../records/list.tsx';
import { useList } from '../../records/use-list.ts';
import { MessageStatusBadge } from '../messages/message-status-badge.tsx';
import { messageStatuses } from '../messages/routes.tsx';
import { useOrganization } from '../organizations/organization.ts';
import { isSettled, recipientsQuery, type RecipientFilters } from './bulk-sms.ts';
import { useText } from './text.ts';

const all = 'all';

/** The recipients of a batch, each with its message. */
export function Recipients({ batch }: { batch: BulkSms }): ReactNode {
  const t = useText();
  const { organizationId, isManager } = useOrganization();
  const [filters, setFilters] = useState<RecipientFilters>({});
  const columns = useColumns();
  const settled = isSettled(batch);
  const list = useList(recipientsQuery(organizationId, batch, filters));
  const queryClient = useQueryClient();
  useEffect(() => {
    if (!settled) return;
    void queryClient.invalidateQueries({
      queryKey: [organizationId, 'bulk-sms', batch.id, 'recipients'],
    });
  }, [batch.id, organizationId, queryClient, settled]);
  const exported = new URLSearchParams({ organizationId, ...filters }).toString();
  return (
    <section aria-label={t('recipients')} className="flex flex-col gap-3">
      <search className="flex flex-wrap items-center gap-2">
        <SearchField
          label={t('searchRecipients')}
          value={filters.search ?? ''}
          onChange={(search) => setFilters(withSearch(filters, search))}
        />
        <Select
          label={t('status')}
          className="w-40 max-sm:flex-1"
          options={[
            { value: all, label: t('anyStatus') },
            ...messageStatuses.map((value) => ({ value, label: t(`ledger_${value}`) })),
          ]}
          value={filters.status ?? all}
          onChange={(value) => setFilters(withStatus(filters, value))}
        />
        {isManager && batch.ledger.total > 0 && (
          <DownloadLink href={`/api/v1/bulk-sms/${batch.id}/messages/export?${exported}`}>
            <Download aria-hidden className="size-4" />
            {t('export')}
          </DownloadLink>
        )}
      </search>
      <List
        list={list}
        label={t('recipients')}
        columns={columns}
        empty={<EmptyState icon={Users} title={t('noRecipients')} description={t('noRecipientsHint')} />}
      />
    </section>
  );
}

function withSearch({ search: _before, ...kept }: RecipientFilters, search: string): RecipientFilters {
  return { ...kept, ...(search !== '' && { search }) };
}

function withStatus({ status: _before, ...kept }: RecipientFilters, chosen: string): RecipientFilters {
  const status = messageStatuses.find((value) => value === chosen);
  return { ...kept, ...(status !== undefined && { status }) };
}

function useColumns(): Column<BulkSmsMessage>[] {
  const t = useText();
  const { slug } = useOrganization();
  return useMemo(
    () => [
      {
        id: 'to',
        header: t('recipient'),
        width: 'w-40',
        cell: ({ messageId, to }) =>
          messageId === null ? (
            <span className="font-mono text-sm">{to}</span>
          ) : (
            <Link
              to="/o/$organization/messages/$messageId"
              params={{ organization: slug, messageId }}
              className="row-link font-mono text-sm"
            >
              {to}
            </Link>
          ),
      },
      {
        id: 'text',
        header: t('text'),
        isHiddenOnPhone: true,
        cell: ({ text, errorMessage }) => <span className="text-muted">{errorMessage ?? text}</span>,
      },
      {
        id: 'status',
        header: t('status'),
        width: 'w-32',
        cell: ({ status }) => <MessageStatusBadge status={status} />,
      },
    ],
    [slug, t],
  );
}
