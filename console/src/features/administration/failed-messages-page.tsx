import { getRouteApi } from '@tanstack/react-router';
import { CircleCheck, RotateCw } from 'lucide-react';
import type { FailedMessage } from 'sms-service-client';
import { useMemo, useState, type ReactNode } from 'react';
import { ButtonLink } from '../../design/button.tsx';
import { Page } from '../../design/page.tsx';
import { EmptyState } from '../../design/states.tsx';
import type { Column } from '../../design/table.tsx';
import { useFormat } from '../../i18n/format.ts';
import { List } from '../../records/list.tsx';
import { useList } from '../../records/use-list.ts';
import { failedMessagesQuery } from './administration.ts';
import { FailedMessageDialog } from './failed-message-dialog.tsx';
import { useText } from './text.ts';

const route = getRouteApi('/signed-in/admin/failed-messages');

/** The failed messages of all organizations, or of one, and the way to send them again. */
export function FailedMessagesPage(): ReactNode {
  const t = useText();
  const { organizationId } = route.useSearch();
  const [openId, setOpenId] = useState<string>();
  const list = useList(failedMessagesQuery(organizationId));
  const columns = useColumns(setOpenId);
  const organization = organizationId === undefined ? undefined : list.items[0]?.organizationName;
  return (
    <Page
      title={t('failedMessages')}
      description={organization ?? t('failedHint')}
      actions={
        <>
          {organizationId !== undefined && (
            <ButtonLink to="/admin/failed-messages">{t('allOrganizations')}</ButtonLink>
          )}
          <ButtonLink
            variant="primary"
            to="/admin/redrives"
            search={{ start: 'messages', ...(organizationId && { organizationId }) }}
            icon={<RotateCw aria-hidden className="size-4" />}
          >
            {t('redrive')}
          </ButtonLink>
        </>
      }
    >
      <List
        list={list}
        label={t('failedMessages')}
        columns={columns}
        empty={<EmptyState icon={CircleCheck} title={t('noneFailed')} description={t('noneFailedHint')} />}
      />
      <FailedMessageDialog
        message={list.items.find(({ id }) => id === openId)}
        onClose={() => setOpenId(undefined)}
      />
    </Page>
  );
}

function useColumns(open: (id: string) => void): Column<FailedMessage>[] {
  const t = useText();
  const format = useFormat();
  return useMemo(
    () => [
      {
        id: 'organization',
        header: t('organization'),
        cell: ({ id, organizationName }) => (
          <button type="button" className="row-link font-medium" onClick={() => open(id)}>
            {organizationName}
          </button>
        ),
      },
      {
        id: 'to',
        header: t('recipient'),
        width: 'w-44',
        isHiddenOnPhone: true,
        cell: ({ to }) => <span className="font-mono text-sm">{to}</span>,
      },
      {
        id: 'from',
        header: t('sender'),
        width: 'w-36',
        isHiddenOnPhone: true,
        cell: ({ from }) => from,
      },
      {
        id: 'errorCode',
        header: t('errorCode'),
        width: 'w-52 max-sm:w-44',
        cell: ({ errorCode }) => <code className="text-sm">{errorCode ?? '–'}</code>,
      },
      {
        id: 'failedAt',
        header: t('failedAt'),
        width: 'w-32',
        align: 'end',
        isHiddenOnPhone: true,
        cell: ({ failedAt, createdAt }) => (
          <time dateTime={failedAt ?? createdAt} className="text-sm text-muted">
            {format.ago(failedAt ?? createdAt)}
          </time>
        ),
      },
    ],
    [format, open, t],
  );
}
