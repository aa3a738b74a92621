import { Link, useNavigate } from '@tanstack/react-router';
import { useQueryClient } from '@tanstack/react-query';
import { BookUser } from 'lucide-react';
import type { Phonebook } from 'sms-service-client';
import { useMemo, useState, type ReactNode } from 'react';
import type { Column } from '../../design/table.tsx';
import { useFormat } from '../../i18n/format.ts';
import { RecordsPage } from '../../records/records-page.tsx';
import { useList } from '../../records/use-list.ts';
import { useOrganization } from '../organizations/organization.ts';
import { PhonebookDialog } from './phonebook-dialog.tsx';
import { phonebooksQuery } from './phonebooks.ts';
import { useText } from './text.ts';

/** The phonebooks of the organization. */
export function PhonebooksPage(): ReactNode {
  const t = useText();
  const { organizationId, slug } = useOrganization();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [isCreating, setCreating] = useState(false);
  const columns = useColumns();
  const list = useList(phonebooksQuery(organizationId));
  return (
    <RecordsPage
      title={t('title')}
      description={t('hint')}
      create={{ label: t('create'), onClick: () => setCreating(true) }}
      list={list}
      columns={columns}
      empty={{
        icon: BookUser,
        title: t('none'),
        description: t('noneHint'),
      }}
    >
      {isCreating && (
        <PhonebookDialog
          phonebook={null}
          onClose={() => setCreating(false)}
          onSaved={({ id }) => {
            void queryClient.invalidateQueries({ queryKey: [organizationId, 'phonebooks'] });
            void navigate({
              to: '/o/$organization/phonebooks/$phonebookId',
              params: { organization: slug, phonebookId: id },
            });
          }}
        />
      )}
    </RecordsPage>
  );
}

function useColumns(): Column<Phonebook>[] {
  const t = useText();
  const format = useFormat();
  const { slug } = useOrganization();
  return useMemo(
    () => [
      {
        id: 'name',
        header: t('name'),
        cell: ({ id, name }) => (
          <Link
            to="/o/$organization/phonebooks/$phonebookId"
            params={{ organization: slug, phonebookId: id }}
            className="row-link font-medium"
          >
            {name}
          </Link>
        ),
      },
      {
        id: 'description',
        header: t('description'),
        isHiddenOnPhone: true,
        cell: ({ description }) => <span className="text-muted">{description}</span>,
      },
      {
        id: 'memberCount',
        header: t('contacts'),
        width: 'w-28',
        align: 'end',
        cell: ({ memberCount }) => <span className="tabular-nums">{format.number(memberCount)}</span>,
      },
    ],
    [format, slug, t],
  );
}
