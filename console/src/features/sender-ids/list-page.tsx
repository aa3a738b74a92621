import { BadgeCheck, Plus } from 'lucide-react';
import type { SenderId } from 'sms-service-client';
import { useMemo, useState, type ReactNode } from 'react';
import { Ago } from '../../design/ago.tsx';
import { Badge } from '../../design/badge.tsx';
import { Button } from '../../design/button.tsx';
import { Page } from '../../design/page.tsx';
import { EmptyState } from '../../design/states.tsx';
import type { Column } from '../../design/table.tsx';
import { List } from '../../records/list.tsx';
import { useList } from '../../records/use-list.ts';
import { useOrganization } from '../organizations/organization.ts';
import { RequestSenderDialog } from './request-sender-dialog.tsx';
import { SenderDialog } from './sender-dialog.tsx';
import { senderIdListQuery } from './sender-ids.ts';
import { SenderStatusBadge } from './sender-status-badge.tsx';
import { useText } from './text.ts';

/** The sender IDs of the organization: what was requested, and what may be used. */
export function ListPage(): ReactNode {
  const t = useText();
  const { organizationId, isManager } = useOrganization();
  const [openId, setOpenId] = useState<string>();
  const [isRequesting, setRequesting] = useState(false);
  const list = useList(senderIdListQuery(organizationId));
  const columns = useColumns(setOpenId);
  const request = (
    <Button
      variant="primary"
      icon={<Plus aria-hidden className="size-4" />}
      onClick={() => setRequesting(true)}
    >
      {t('request')}
    </Button>
  );
  return (
    <Page
      title={t('title')}
      description={t('description')}
      actions={isManager && list.items.length > 0 && request}
    >
      <List
        list={list}
        label={t('title')}
        columns={columns}
        empty={
          <EmptyState
            icon={BadgeCheck}
            title={t('none')}
            description={isManager ? t('noneHint') : t('noneForMembers')}
            action={isManager && request}
          />
        }
      />
      <SenderDialog
        sender={list.items.find(({ id }) => id === openId)}
        mayChange={isManager}
        onClose={() => setOpenId(undefined)}
      />
      <RequestSenderDialog isOpen={isRequesting} onClose={() => setRequesting(false)} />
    </Page>
  );
}

function useColumns(open: (id: string) => void): Column<SenderId>[] {
  const t = useText();
  return useMemo(
    () => [
      {
        id: 'value',
        header: t('value'),
        width: 'w-56 max-sm:w-auto',
        cell: ({ id, value, isDefault }) => (
          <span className="flex items-center gap-2">
            <button type="button" className="row-link truncate font-medium" onClick={() => open(id)}>
              {value}
            </button>
            {isDefault && <Badge tone="accent">{t('default')}</Badge>}
          </span>
        ),
      },
      {
        id: 'useCase',
        header: t('purpose'),
        isHiddenOnPhone: true,
        cell: ({ useCase, reviewReason }) => <span className="text-muted">{reviewReason ?? useCase}</span>,
      },
      {
        id: 'status',
        header: t('status'),
        width: 'w-40 max-sm:w-36',
        cell: ({ status }) => <SenderStatusBadge status={status} />,
      },
      {
        id: 'createdAt',
        header: t('requestedAt'),
        width: 'w-28',
        align: 'end',
        isHiddenOnPhone: true,
        cell: ({ createdAt }) => <Ago at={createdAt} />,
      },
    ],
    [open, t],
  );
}
