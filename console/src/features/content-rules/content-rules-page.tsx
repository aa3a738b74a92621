import { TextSearch } from 'lucide-react';
import { useMemo, useState, type ReactNode } from 'react';
import type { ContentRule } from 'sms-service-client';
import { Ago } from '../../design/ago.tsx';
import type { Column } from '../../design/table.tsx';
import { RecordsPage } from '../../records/records-page.tsx';
import { useList } from '../../records/use-list.ts';
import { ContentRuleDialog } from './content-rule-dialog.tsx';
import { contentRulesQuery } from './content-rules.ts';
import { useText } from './text.ts';

/** The rules about the texts of messages, of the platform and of organizations. */
export function ContentRulesPage(): ReactNode {
  const t = useText();
  const [opened, setOpened] = useState<ContentRule | 'new' | null>(null);
  const columns = useColumns(setOpened);
  const list = useList(contentRulesQuery);
  return (
    <RecordsPage
      title={t('title')}
      description={t('description')}
      create={{ label: t('create'), onClick: () => setOpened('new') }}
      list={list}
      columns={columns}
      empty={{ icon: TextSearch, title: t('none'), description: t('noneHint') }}
    >
      {opened !== null && (
        <ContentRuleDialog rule={opened === 'new' ? null : opened} onClose={() => setOpened(null)} />
      )}
    </RecordsPage>
  );
}

function useColumns(open: (rule: ContentRule) => void): Column<ContentRule>[] {
  const t = useText();
  return useMemo(
    () => [
      {
        id: 'values',
        header: t('values'),
        cell: (rule) => (
          <button type="button" className="row-link font-medium" onClick={() => open(rule)}>
            {rule.values.join(', ')}
          </button>
        ),
      },
      {
        id: 'kind',
        header: t('kind'),
        width: 'w-52 max-sm:w-40',
        cell: ({ kind }) => t(`kind_${kind}`),
      },
      {
        id: 'scope',
        header: t('scope'),
        width: 'w-44',
        isHiddenOnPhone: true,
        cell: ({ organizationId }) =>
          organizationId === null ? (
            t('everybody')
          ) : (
            <code className="text-sm text-muted">{`…${organizationId.slice(-12)}`}</code>
          ),
      },
      {
        id: 'updatedAt',
        header: t('changed'),
        width: 'w-28',
        align: 'end',
        isHiddenOnPhone: true,
        cell: ({ updatedAt }) => <Ago at={updatedAt} />,
      },
    ],
    [open, t],
  );
}
