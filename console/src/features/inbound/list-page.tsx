import { getRouteApi } from '@tanstack/react-router';
import { Inbox } from 'lucide-react';
import type { InboundMessage } from 'sms-service-client';
import { useMemo, useState, type ReactNode } from 'react';
import { Ago } from '../../design/ago.tsx';
import { Page } from '../../design/page.tsx';
import { Select } from '../../design/select.tsx';
import { EmptyState } from '../../design/states.tsx';
import type { Column } from '../../design/table.tsx';
import { List } from '../../records/list.tsx';
import { useList } from '../../records/use-list.ts';
import { useOrganization } from '../organizations/organization.ts';
import { inboundQuery, inboundStatuses } from './inbound.ts';
import { InboundDialog } from './inbound-dialog.tsx';
import { InboundStatus } from './inbound-status.tsx';
import { useText } from './text.ts';

const route = getRouteApi('/signed-in/o/$organization/inbound/messages');
const all = 'all';
/** Every text from a phone, with what became of it. */
export function ListPage(): ReactNode {
  const t = useText();
  const navigate = route.useNavigate();
  const { organizationId, slug } = useOrganization();
  const filters = route.useSearch();
  const [openId, setOpenId] = useState<string>();
  const list = useList(inboundQuery(organizationId, filters));
  const columns = useColumns(setOpenId);
  const isFiltered = filters.status !== undefined;
  return (
    <Page
      title={t('allMessages')}
      breadcrumbs={[
        { label: t('title'), link: { to: '/o/$organization/inbound', params: { organization: slug } } },
      ]}
    >
      <search>
        <Select
          label={t('status')}
          className="w-44"
          options={[
            { value: all, label: t('anyStatus') },
            ...inboundStatuses.map((value) => ({ value, label: t(value) })),
          ]}
          value={filters.status ?? all}
          onChange={(value) => {
            const status = inboundStatuses.find((known) => known === value);
            void navigate({ search: { ...(status && { status }) }, replace: true });
          }}
        />
      </search>
      <List
        list={list}
        label={t('allMessages')}
        columns={columns}
        empty={
          <EmptyState
            icon={Inbox}
            title={isFiltered ? t('noneMatch') : t('none')}
            description={isFiltered ? t('noneMatchHint') : t('noneHint')}
          />
        }
      />
      <InboundDialog
        message={list.items.find(({ id }) => id === openId)}
        onClose={() => setOpenId(undefined)}
      />
    </Page>
  );
}

function useColumns(open: (id: string) => void): Column<InboundMessage>[] {
  const t = useText();
  return useMemo(
    () => [
      {
        id: 'from',
        header: t('from'),
        width: 'w-44 max-sm:w-auto',
        cell: ({ id, from }) => (
          <button type="button" className="row-link font-mono text-sm" onClick={() => open(id)}>
            {from}
          </button>
        ),
      },
      {
        id: 'text',
        header: t('text'),
        isHiddenOnPhone: true,
        cell: ({ text }) => <span className="text-muted">{text}</span>,
      },
      {
        id: 'to',
        header: t('to'),
        width: 'w-36',
        isHiddenOnPhone: true,
        cell: ({ to }) => <span className="font-mono text-sm text-muted">{to}</span>,
      },
      {
        id: 'status',
        header: t('status'),
        width: 'w-36 max-sm:w-34',
        cell: ({ status }) => <InboundStatus status={status} />,
      },
      {
        id: 'receivedAt',
        header: t('receivedAt'),
        width: 'w-28 max-sm:w-20',
        align: 'end',
        cell: ({ receivedAt }) => <Ago at={receivedAt} />,
      },
    ],
    [open, t],
  );
}
