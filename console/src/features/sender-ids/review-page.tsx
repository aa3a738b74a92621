import { getRouteApi } from '@tanstack/react-router';
import { BadgeCheck } from 'lucide-react';
import type { ReviewedSenderId } from 'sms-service-client';
import { useMemo, useState, type ReactNode } from 'react';
import { Ago } from '../../design/ago.tsx';
import { Page } from '../../design/page.tsx';
import { Select } from '../../design/select.tsx';
import { EmptyState } from '../../design/states.tsx';
import type { Column } from '../../design/table.tsx';
import { List } from '../../records/list.tsx';
import { useList } from '../../records/use-list.ts';
import { ReviewDialog } from './review-dialog.tsx';
import { reviewQueueQuery, senderIdStatuses } from './sender-ids.ts';
import { useText } from './text.ts';

const route = getRouteApi('/signed-in/admin/sender-ids');

/** The requests for sender IDs of all organizations, for administrators of the service. */
export function ReviewPage(): ReactNode {
  const t = useText();
  const navigate = route.useNavigate();
  const { status = 'pending' } = route.useSearch();
  const [openId, setOpenId] = useState<string>();
  const list = useList(reviewQueueQuery(status));
  const columns = useColumns(setOpenId);
  return (
    <Page title={t('reviewTitle')} description={t('reviewDescription')}>
      <search>
        <Select
          label={t('status')}
          className="w-44"
          options={senderIdStatuses.map((value) => ({ value, label: t(value) }))}
          value={status}
          onChange={(value) => void navigate({ search: { status: value }, replace: true })}
        />
      </search>
      <List
        list={list}
        label={t('reviewTitle')}
        columns={columns}
        empty={
          <EmptyState
            icon={BadgeCheck}
            title={status === 'pending' ? t('queueEmpty') : t('noneInStatus')}
            description={t('queueEmptyHint')}
          />
        }
      />
      <ReviewDialog
        sender={list.items.find(({ id }) => id === openId)}
        onClose={() => setOpenId(undefined)}
      />
    </Page>
  );
}

function useColumns(open: (id: string) => void): Column<ReviewedSenderId>[] {
  const t = useText();
  return useMemo(
    () => [
      {
        id: 'value',
        header: t('value'),
        width: 'w-44 max-sm:w-auto',
        cell: ({ id, value }) => (
          <button type="button" className="row-link font-medium" onClick={() => open(id)}>
            {value}
          </button>
        ),
      },
      {
        id: 'organization',
        header: t('organization'),
        width: 'w-52 max-sm:w-auto',
        cell: ({ organizationName }) => organizationName,
      },
      {
        id: 'useCase',
        header: t('purpose'),
        isHiddenOnPhone: true,
        cell: ({ useCase }) => <span className="text-muted">{useCase}</span>,
      },
      {
        id: 'createdAt',
        header: t('requestedAt'),
        width: 'w-28 max-sm:w-22',
        align: 'end',
        cell: ({ createdAt }) => <Ago at={createdAt} />,
      },
    ],
    [open, t],
  );
}
