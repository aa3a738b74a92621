import { BellOff, Plus, Undo2 } from 'lucide-react';
import type { Suppression } from 'sms-service-client';
import { useMemo, useState, type ReactNode } from 'react';
import { sms } from '../../api.ts';
import { ConfirmDialog } from '../../confirm-dialog.tsx';
import { Badge } from '../../design/badge.tsx';
import { Button, IconButton } from '../../design/button.tsx';
import { Page } from '../../design/page.tsx';
import { SearchField } from '../../design/search-field.tsx';
import { EmptyState } from '../../design/states.tsx';
import type { Column } from '../../design/table.tsx';
import { useToast } from '../../design/toast.tsx';
import { useFormat } from '../../i18n/format.ts';
import { List, useListChanges } from '../../list.tsx';
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
  return (
    <Page
      title={t('title')}
      description={t('hint')}
      actions={
        <Button
          variant="primary"
          icon={<Plus aria-hidden className="size-4" />}
          onClick={() => setAdding(true)}
        >
          {t('add')}
        </Button>
      }
    >
      <search>
        <SearchField label={t('search')} value={search} onChange={setSearch} />
      </search>
      <List
        query={suppressionsQuery(organizationId, search === '' ? {} : { search })}
        label={t('title')}
        columns={columns}
        rowId={({ id }) => id}
        empty={
          <EmptyState
            icon={BellOff}
            title={search === '' ? t('none') : t('noneMatch')}
            description={search === '' ? t('noneHint') : t('noneMatchHint')}
          />
        }
      />
      {isAdding && <SuppressDialog onClose={() => setAdding(false)} />}
      {removed !== null && <RemoveDialog suppression={removed} onClose={() => setRemoved(null)} />}
    </Page>
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
  const toast = useToast();
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
      cancel={t('cancel')}
      action={() => sms.suppressions.delete(id, { organizationId })}
      onDone={() => {
        remove(id);
        toast({ title: t('removed', { number }) });
      }}
    />
  );
}

function useColumns(onRemove: (suppression: Suppression) => void): Column<Suppression>[] {
  const t = useText();
  const format = useFormat();
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
        cell: ({ createdAt }) => (
          <time dateTime={createdAt} title={format.dateTime(createdAt)} className="text-sm text-muted">
            {format.ago(createdAt)}
          </time>
        ),
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
    [format, onRemove, t],
  );
}
