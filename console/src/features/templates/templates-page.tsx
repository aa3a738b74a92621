import { FileText } from 'lucide-react';
import type { Template } from 'sms-service-client';
import { useMemo, useState, type ReactNode } from 'react';
import { Badge } from '../../design/badge.tsx';
import type { Column } from '../../design/table.tsx';
import { useFormat } from '../../i18n/format.ts';
import { RecordsPage } from '../../records/records-page.tsx';
import { useList } from '../../records/use-list.ts';
import { useOrganization } from '../organizations/organization.ts';
import { TemplateDialog } from './template-dialog.tsx';
import { templatesQuery } from './templates.ts';
import { useText } from './text.ts';

/** The templates of the team, and the reader's own. */
export function TemplatesPage(): ReactNode {
  const t = useText();
  const { organizationId } = useOrganization();
  const [search, setSearch] = useState('');
  const [edited, setEdited] = useState<Template | 'new' | null>(null);
  const columns = useColumns(setEdited);
  const list = useList(templatesQuery(organizationId, search === '' ? {} : { search }));
  return (
    <RecordsPage
      title={t('title')}
      description={t('hint')}
      create={{ label: t('create'), onClick: () => setEdited('new') }}
      search={{ label: t('search'), value: search, onChange: setSearch }}
      list={list}
      columns={columns}
      empty={{
        icon: FileText,
        title: search === '' ? t('none') : t('noneMatch'),
        description: search === '' ? t('noneHint') : t('noneMatchHint'),
      }}
    >
      {edited !== null && <TemplateDialog template={edited} onClose={() => setEdited(null)} />}
    </RecordsPage>
  );
}

function useColumns(onOpen: (template: Template) => void): Column<Template>[] {
  const t = useText();
  const format = useFormat();
  return useMemo(
    () => [
      {
        id: 'name',
        header: t('name'),
        width: 'w-52 max-sm:w-auto',
        cell: (template) => (
          <button type="button" className="row-link font-medium" onClick={() => onOpen(template)}>
            {template.name}
          </button>
        ),
      },
      {
        id: 'content',
        header: t('content'),
        isHiddenOnPhone: true,
        cell: ({ content }) => <span className="text-muted">{content}</span>,
      },
      {
        id: 'category',
        header: t('category'),
        width: 'w-36',
        cell: ({ category, warnings }) => (
          <Badge tone={warnings.length > 0 ? 'warning' : 'neutral'}>
            {warnings.length > 0 ? t('hasProblems') : t(category)}
          </Badge>
        ),
      },
      {
        id: 'scope',
        header: t('scope'),
        width: 'w-28',
        isHiddenOnPhone: true,
        cell: ({ scope }) => t(scope),
      },
      {
        id: 'segments',
        header: t('segments'),
        width: 'w-24',
        align: 'end',
        isHiddenOnPhone: true,
        cell: ({ segments }) => <span className="tabular-nums">{format.number(segments)}</span>,
      },
    ],
    [format, onOpen, t],
  );
}
