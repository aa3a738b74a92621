import { KeyRound, Plus } from 'lucide-react';
import type { ApiKey } from 'sms-service-client';
import { useMemo, useState, type ReactNode } from 'react';
import { Button } from '../../design/button.tsx';
import { Page } from '../../design/page.tsx';
import { EmptyState } from '../../design/states.tsx';
import type { Column } from '../../design/table.tsx';
import { useFormat } from '../../i18n/format.ts';
import { List } from '../../records/list.tsx';
import { useList } from '../../records/use-list.ts';
import { useOrganization } from '../organizations/organization.ts';
import { apiKeyListQuery } from './api-keys.ts';
import { CreateKeyDialog } from './create-key-dialog.tsx';
import { KeyDialog } from './key-dialog.tsx';
import { KeyState } from './key-state.tsx';
import { useText } from './text.ts';

/** The keys of the organization's programs. */
export function ListPage(): ReactNode {
  const t = useText();
  const { organizationId } = useOrganization();
  const [openId, setOpenId] = useState<string>();
  const [isCreating, setCreating] = useState(false);
  const list = useList(apiKeyListQuery(organizationId));
  const columns = useColumns(setOpenId);
  const create = (
    <Button
      variant="primary"
      icon={<Plus aria-hidden className="size-4" />}
      onClick={() => setCreating(true)}
    >
      {t('create')}
    </Button>
  );
  return (
    <Page
      title={t('title')}
      description={t('description')}
      actions={list.error === null && list.items.length > 0 && create}
    >
      <List
        list={list}
        label={t('title')}
        columns={columns}
        empty={<EmptyState icon={KeyRound} title={t('none')} description={t('createHint')} action={create} />}
      />
      <KeyDialog apiKey={list.items.find(({ id }) => id === openId)} onClose={() => setOpenId(undefined)} />
      <CreateKeyDialog isOpen={isCreating} onClose={() => setCreating(false)} />
    </Page>
  );
}

function useColumns(open: (id: string) => void): Column<ApiKey>[] {
  const t = useText();
  const format = useFormat();
  return useMemo(
    () => [
      {
        id: 'name',
        header: t('name'),
        cell: ({ id, name }) => (
          <button type="button" className="row-link font-medium" onClick={() => open(id)}>
            {name}
          </button>
        ),
      },
      {
        id: 'prefix',
        header: t('key'),
        width: 'w-64',
        isHiddenOnPhone: true,
        cell: ({ prefix }) => <span className="font-mono text-sm text-muted">{`${prefix}…`}</span>,
      },
      {
        id: 'state',
        header: t('environment'),
        width: 'w-32 max-sm:w-28',
        cell: (apiKey) => <KeyState apiKey={apiKey} />,
      },
      {
        id: 'lastUsedAt',
        header: t('lastUsed'),
        width: 'w-32 max-sm:w-28',
        align: 'end',
        cell: ({ lastUsedAt }) => (
          <span className="text-sm text-muted">
            {lastUsedAt === null ? t('never') : format.ago(lastUsedAt)}
          </span>
        ),
      },
    ],
    [format, open, t],
  );
}
