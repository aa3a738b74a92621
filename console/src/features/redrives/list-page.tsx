import { getRouteApi } from '@tanstack/react-router';
import { Plus, RotateCw } from 'lucide-react';
import type { Redrive } from 'sms-service-client';
import { useMemo, useState, type ReactNode } from 'react';
import { Ago } from '../../design/ago.tsx';
import { Button } from '../../design/button.tsx';
import { Page } from '../../design/page.tsx';
import { EmptyState } from '../../design/states.tsx';
import type { Column } from '../../design/table.tsx';
import { useFormat } from '../../i18n/format.ts';
import { List } from '../../records/list.tsx';
import { useList } from '../../records/use-list.ts';
import { RedriveDialog } from './redrive-dialog.tsx';
import { redrivesQuery } from './redrives.ts';
import { StartRedriveDialog } from './start-redrive-dialog.tsx';
import { RedriveStatus } from './redrive-status.tsx';
import { useText } from './text.ts';

const route = getRouteApi('/signed-in/admin/redrives');

/** What was redriven across organizations, live, and the form that starts the next. */
export function ListPage(): ReactNode {
  const t = useText();
  const navigate = route.useNavigate();
  const search = route.useSearch();
  const [openId, setOpenId] = useState<string>();
  const list = useList(redrivesQuery);
  const columns = useColumns(setOpenId);
  const open = (): void => void navigate({ search: { start: 'messages' } });
  return (
    <Page
      title={t('title')}
      description={t('description')}
      actions={
        <Button variant="primary" icon={<Plus aria-hidden className="size-4" />} onClick={open}>
          {t('start')}
        </Button>
      }
    >
      <List
        list={list}
        label={t('title')}
        columns={columns}
        empty={<EmptyState icon={RotateCw} title={t('none')} description={t('noneHint')} />}
      />
      <RedriveDialog
        redrive={list.items.find(({ id }) => id === openId)}
        onClose={() => setOpenId(undefined)}
      />
      <StartRedriveDialog
        kind={search.start}
        prefill={search}
        onClose={() => void navigate({ search: {}, replace: true })}
        onStarted={({ id }) => setOpenId(id)}
      />
    </Page>
  );
}

function useColumns(open: (id: string) => void): Column<Redrive>[] {
  const t = useText();
  const format = useFormat();
  return useMemo(
    () => [
      {
        id: 'kind',
        header: t('kind'),
        cell: ({ id, kind }) => (
          <button type="button" className="row-link" onClick={() => open(id)}>
            {t(kind)}
          </button>
        ),
      },
      {
        id: 'status',
        header: t('status'),
        width: 'w-36 max-sm:w-32',
        cell: ({ status }) => <RedriveStatus status={status} />,
      },
      {
        id: 'matched',
        header: t('matched'),
        width: 'w-28',
        align: 'end',
        isHiddenOnPhone: true,
        cell: ({ matched }) => format.number(matched),
      },
      {
        id: 'redriven',
        header: t('redriven'),
        width: 'w-28 max-sm:w-24',
        align: 'end',
        cell: ({ redriven }) => format.number(redriven),
      },
      {
        id: 'createdAt',
        header: t('started'),
        width: 'w-32',
        align: 'end',
        isHiddenOnPhone: true,
        cell: ({ createdAt }) => <Ago at={createdAt} />,
      },
    ],
    [format, open, t],
  );
}
