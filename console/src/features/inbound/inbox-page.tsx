import { Link } from '@tanstack/react-router';
import { Inbox } from 'lucide-react';
import type { InboundMessage } from 'sms-service-client';
import { useMemo, type ReactNode } from 'react';
import { ButtonLink } from '../../design/button.tsx';
import { Page } from '../../design/page.tsx';
import { EmptyState } from '../../design/states.tsx';
import type { Column } from '../../design/table.tsx';
import { useFormat } from '../../i18n/format.ts';
import { List } from '../../records/list.tsx';
import { useList } from '../../records/use-list.ts';
import { useOrganization } from '../organizations/organization.ts';
import { conversationsQuery } from './inbound.ts';
import { InboundStatus } from './inbound-status.tsx';
import { useText } from './text.ts';

/** Who wrote to the organization's numbers: a row for each phone and number, with its latest text. */
export function InboxPage(): ReactNode {
  const t = useText();
  const { organizationId, slug } = useOrganization();
  const columns = useColumns();
  const list = useList(conversationsQuery(organizationId));
  return (
    <Page
      title={t('title')}
      description={t('description')}
      actions={
        <>
          <ButtonLink to="/o/$organization/inbound/messages" params={{ organization: slug }}>
            {t('allMessages')}
          </ButtonLink>
          <ButtonLink to="/o/$organization/inbound/keywords" params={{ organization: slug }}>
            {t('keywords')}
          </ButtonLink>
        </>
      }
    >
      <List
        list={list}
        label={t('conversations')}
        columns={columns}
        empty={<EmptyState icon={Inbox} title={t('none')} description={t('noneHint')} />}
      />
    </Page>
  );
}

function useColumns(): Column<InboundMessage>[] {
  const t = useText();
  const format = useFormat();
  const { slug } = useOrganization();
  return useMemo(
    () => [
      {
        id: 'from',
        header: t('from'),
        width: 'w-44 max-sm:w-40',
        cell: ({ id, from }) => (
          <Link
            to="/o/$organization/inbound/conversations/$messageId"
            params={{ organization: slug, messageId: id }}
            className="row-link font-mono text-sm"
          >
            {from}
          </Link>
        ),
      },
      {
        id: 'text',
        header: t('latest'),
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
        width: 'w-40',
        isHiddenOnPhone: true,
        cell: ({ status }) => <InboundStatus status={status} />,
      },
      {
        id: 'receivedAt',
        header: t('receivedAt'),
        width: 'w-28 max-sm:w-20',
        align: 'end',
        cell: ({ receivedAt }) => (
          <time dateTime={receivedAt} title={format.dateTime(receivedAt)} className="text-sm text-muted">
            <span className="max-sm:hidden">{format.ago(receivedAt)}</span>
            <span className="sm:hidden">{format.age(receivedAt)}</span>
          </time>
        ),
      },
    ],
    [format, slug, t],
  );
}
