import { BellOff, Undo2 } from 'lucide-react';
import type { Suppression } from 'sms-service-client';
import { useMemo, useState, type ReactNode } from 'react';
import { sms } from '../../api.ts';
import { ConfirmDialog } from '../../records/confirm-dialog.tsx';
import { Ago } from '../../design/ago.tsx';
import { Badge } from '../../design/badge.tsx';
import { IconButton } from '../../design/button.tsx';
import type { Column } from '../../design/table.tsx';
import { RecordsPage } from '../../records/records-page.tsx';
import { useList, useListChanges } from '../../records/use-list.ts';
import { useOrganization } from '../organizations/organization.ts';
import { SuppressDialog } from './suppress-dialog.tsx';
import { suppressionsQuery } from './suppressions.ts';
import { useText } from './text.ts';

/** The numbers that get no messages, and who put them on the list. */
export function SuppressionsPage(): ReactNode {
  const t = useText();
  const { organizationId } = useOrganization();
  const [search, setSearch] = useState('');
  const [isAdding, setAdding] = useState(false);
  const [removed, setRemoved] = useState<Suppression | null>(null);
  const columns = useColumns(setRemoved);
  const list = useList(suppressionsQuery(organizationId, search === '' ? {} : { search }));
  return (
    <RecordsPage
      title={t('title')}
      description={t('hint')}
      create={{ label: t('add'), onClick: () => setAdding(true) }}
      search={{ label: t('search'), value: search, onChange: setSearch }}
      list={list}
      columns={columns}
      empty={{
        icon: BellOff,
        title: search === '' ? t('none') : t('noneMatch'),
        description: search === '' ? t('noneHint') : t('noneMatchHint'),
      }}
    >
      {isAdding && <SuppressDialog onClose={() => setAdding(false)} />}
      {removed !== null && <RemoveDialog suppression={removed} onClose={() => setRemoved(null)} />}
    </RecordsPage>
  );
}

function RemoveDialog({
  suppression,
  onClose,
}: {
  suppression: Suppression;
  onClose: () => void;
}): ReactNode {
  const t = useText();
  const { organizationId } = useOrganization();
  const { remove } = useListChanges<Suppression>([organizationId, 'suppressions', 'list']);
  const { id, phoneNumber: number, source } = suppression;
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={t('removeTitle', { number })}
      description={t(source === 'recipient' ? 'removeHintRecipient' : 'removeHint')}
      confirm={t('remove')}
      run={() => sms.suppressions.delete(id, { organizationId })}
      done={t('removed', { number })}
      onDone={() => remove(id)}
    />
  );
}

function useColumns(onRemove: (suppression: Suppression) => void): Column<Suppression>[] {
  const t = useText();
  return useMemo(
    () => [
      {
        id: 'phoneNumber',
        header: t('phoneNumber'),
        width: 'w-44 max-sm:w-40',
        cell: ({ phoneNumber }) => <span className="font-mono text-sm">{phoneNumber}</span>,
      },
      {
        id: 'source',
        header: t('source'),
        width: 'w-36 max-sm:w-auto',
        cell: ({ source }) => (
          <Badge tone={source === 'recipient' ? 'warning' : 'neutral'}>{t(`source_${source}`)}</Badge>
        ),
      },
      {
        id: 'reason',
        header: t('reason'),
        isHiddenOnPhone: true,
        cell: ({ reason }) => <span className="text-muted">{reason}</span>,
      },
      {
        id: 'createdAt',
        header: t('created'),
        width: 'w-28',
        align: 'end',
        isHiddenOnPhone: true,
        cell: ({ createdAt }) => <Ago at={createdAt} />,
      },
      {
        id: 'actions',
        header: t('actions'),
        width: 'w-20',
        align: 'end',
        cell: (suppression) => (
          <IconButton
            label={t('removeNumber', { number: suppression.phoneNumber })}
            onClick={() => onRemove(suppression)}
          >
            <Undo2 aria-hidden />
          </IconButton>
        ),
      },
    ],
    [onRemove, t],
  );
}
