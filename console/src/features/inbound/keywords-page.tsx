import { MessageSquareReply, Plus } from 'lucide-react';
import type { InboundKeyword } from 'sms-service-client';
import { useMemo, useState, type ReactNode } from 'react';
import { Badge } from '../../design/badge.tsx';
import { Button } from '../../design/button.tsx';
import { Page } from '../../design/page.tsx';
import { EmptyState } from '../../design/states.tsx';
import type { Column } from '../../design/table.tsx';
import { List } from '../../records/list.tsx';
import { useList } from '../../records/use-list.ts';
import { useOrganization } from '../organizations/organization.ts';
import { keywordsQuery } from './inbound.ts';
import { KeywordDialog } from './keyword-dialog.tsx';
import { KeywordTester } from './keyword-tester.tsx';
import { useText } from './text.ts';

const isNew = 'new';

/** The rules that answer what phones text. */
export function KeywordsPage(): ReactNode {
  const t = useText();
  const { organizationId, slug } = useOrganization();
  const [openId, setOpenId] = useState<string>();
  const list = useList(keywordsQuery(organizationId));
  const columns = useColumns(setOpenId);
  const create = (
    <Button variant="primary" icon={<Plus aria-hidden className="size-4" />} onClick={() => setOpenId(isNew)}>
      {t('newRule')}
    </Button>
  );
  return (
    <Page
      title={t('keywords')}
      description={t('keywordsDescription')}
      breadcrumbs={[
        { label: t('title'), link: { to: '/o/$organization/inbound', params: { organization: slug } } },
      ]}
      actions={list.items.length > 0 && create}
    >
      <List
        list={list}
        label={t('keywords')}
        columns={columns}
        empty={
          <EmptyState
            icon={MessageSquareReply}
            title={t('noRules')}
            description={t('noRulesHint')}
            action={create}
          />
        }
      />
      <KeywordTester />
      <KeywordDialog
        isOpen={openId !== undefined}
        rule={list.items.find(({ id }) => id === openId)}
        onClose={() => setOpenId(undefined)}
      />
    </Page>
  );
}

function useColumns(open: (id: string) => void): Column<InboundKeyword>[] {
  const t = useText();
  return useMemo(
    () => [
      {
        id: 'keyword',
        header: t('keyword'),
        width: 'w-48 max-sm:w-auto',
        cell: ({ id, keyword }) => (
          <button type="button" className="row-link font-medium" onClick={() => open(id)}>
            {keyword}
          </button>
        ),
      },
      {
        id: 'matchType',
        header: t('matchType'),
        width: 'w-40',
        isHiddenOnPhone: true,
        cell: ({ matchType }) => t(matchType),
      },
      {
        id: 'response',
        header: t('response'),
        isHiddenOnPhone: true,
        cell: ({ response }) => <span className="text-muted">{response}</span>,
      },
      {
        id: 'enabled',
        header: t('status'),
        width: 'w-32',
        cell: ({ enabled }) => (
          <Badge tone={enabled ? 'success' : 'neutral'}>{enabled ? t('enabled') : t('disabled')}</Badge>
        ),
      },
    ],
    [open, t],
  );
}
