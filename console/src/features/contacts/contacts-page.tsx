import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Download, FileUp, Plus, Users, X } from 'lucide-react';
import type { Contact } from 'sms-service-client';
import { useCallback, useMemo, useState, type ReactNode } from 'react';
import { Ago } from '../../design/ago.tsx';
import { Badge } from '../../design/badge.tsx';
import { Button, ButtonLink } from '../../design/button.tsx';
import { DownloadLink } from '../../design/download-link.tsx';
import { Page } from '../../design/page.tsx';
import { SearchField } from '../../design/search-field.tsx';
import { EmptyState, Skeleton } from '../../design/states.tsx';
import type { Column } from '../../design/table.tsx';
import { useFormat } from '../../i18n/format.ts';
import { List } from '../../records/list.tsx';
import { useList } from '../../records/use-list.ts';
import { useOrganization } from '../organizations/organization.ts';
import { ContactDialog } from './contact-dialog.tsx';
import { contactCountQuery, contactsQuery, nameOf, type ContactFilters } from './contacts.ts';
import { useText } from './text.ts';

const route = getRouteApi('/signed-in/o/$organization/contacts');

/** The contacts of the organization: found, created, changed, deleted. */
export function ContactsPage(): ReactNode {
  const t = useText();
  const { organizationId, slug } = useOrganization();
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const [edited, setEdited] = useState<Contact | 'new' | null>(null);
  const columns = useContactColumns(setEdited);
  const list = useList(contactsQuery(organizationId, filters));
  const search = useCallback(
    (text: string) =>
      void navigate({
        search: ({ search: _before, ...kept }) => ({ ...kept, ...(text !== '' && { search: text }) }),
        replace: true,
      }),
    [navigate],
  );
  return (
    <Page
      title={t('title')}
      description={<Total filters={filters} />}
      actions={<PageActions onCreate={() => setEdited('new')} />}
    >
      <search className="flex flex-wrap items-center gap-2">
        <SearchField label={t('search')} value={filters.search ?? ''} onChange={search} />
        {filters.tag !== undefined && (
          <Button
            icon={<X aria-hidden className="size-4" />}
            onClick={() => void navigate({ search: ({ tag: _tag, ...kept }) => kept, replace: true })}
          >
            {t('withTag', { tag: filters.tag })}
          </Button>
        )}
        <Export filters={filters} />
      </search>
      <List
        list={list}
        label={t('title')}
        columns={columns}
        empty={
          Object.keys(filters).length > 0 ? (
            <EmptyState icon={Users} title={t('noneMatch')} description={t('noneMatchHint')} />
          ) : (
            <EmptyState
              icon={Users}
              title={t('none')}
              description={t('noneHint')}
              action={
                <ButtonLink to="/o/$organization/contacts/import" params={{ organization: slug }}>
                  {t('import')}
                </ButtonLink>
              }
            />
          )
        }
      />
      {edited !== null && <ContactDialog contact={edited} onClose={() => setEdited(null)} />}
    </Page>
  );
}

/** How many contacts there are, or how many of them match. */
function Total({ filters }: { filters: ContactFilters }): ReactNode {
  const t = useText();
  const format = useFormat();
  const { organizationId } = useOrganization();
  const { data } = useQuery(contactCountQuery(organizationId, filters));
  if (data === undefined) return <Skeleton className="w-24" />;
  const { count } = data;
  const total = format.number(count);
  return Object.keys(filters).length > 0 ? t('matching', { count, total }) : t('total', { count, total });
}

function PageActions({ onCreate }: { onCreate: () => void }): ReactNode {
  const t = useText();
  const { slug } = useOrganization();
  return (
    <>
      <ButtonLink
        to="/o/$organization/contacts/import"
        params={{ organization: slug }}
        icon={<FileUp aria-hidden className="size-4" />}
      >
        {t('import')}
      </ButtonLink>
      <Button variant="primary" icon={<Plus aria-hidden className="size-4" />} onClick={onCreate}>
        {t('create')}
      </Button>
    </>
  );
}

/** Downloads the contacts that match as a CSV file. */
function Export({ filters }: { filters: ContactFilters }): ReactNode {
  const t = useText();
  const { organizationId, isManager } = useOrganization();
  const query = new URLSearchParams({ organizationId, ...filters });
  if (!isManager) return null;
  return (
    <DownloadLink href={`/api/v1/contacts/export?${query.toString()}`}>
      <Download aria-hidden className="size-4" />
      {t('export')}
    </DownloadLink>
  );
}

/** The columns of a list of contacts. The number leads to the contact. */
export function useContactColumns(onOpen: (contact: Contact) => void): Column<Contact>[] {
  const t = useText();
  return useMemo(
    () => [
      {
        id: 'phoneNumber',
        header: t('phoneNumber'),
        width: 'w-44 max-sm:w-40',
        cell: (contact) => (
          <button type="button" className="row-link font-mono text-sm" onClick={() => onOpen(contact)}>
            {contact.phoneNumber}
          </button>
        ),
      },
      { id: 'name', header: t('name'), cell: nameOf },
      {
        id: 'company',
        header: t('company'),
        width: 'w-44',
        isHiddenOnPhone: true,
        cell: ({ company }) => company,
      },
      {
        id: 'tags',
        header: t('tags'),
        isHiddenOnPhone: true,
        cell: ({ tags }) => (
          <span className="flex gap-1 overflow-hidden">
            {tags.map((tag) => (
              <Badge key={tag}>{tag}</Badge>
            ))}
          </span>
        ),
      },
      {
        id: 'createdAt',
        header: t('created'),
        width: 'w-28',
        align: 'end',
        isHiddenOnPhone: true,
        cell: ({ createdAt }) => <Ago at={createdAt} />,
      },
    ],
    [onOpen, t],
  );
}
