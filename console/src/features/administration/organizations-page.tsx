import { getRouteApi, Link } from '@tanstack/react-router';
import { Building2 } from 'lucide-react';
import type { AdministeredOrganization } from 'sms-service-client';
import { useCallback, useMemo, type ReactNode } from 'react';
import { Page } from '../../design/page.tsx';
import { SearchField } from '../../design/search-field.tsx';
import { EmptyState } from '../../design/states.tsx';
import type { Column } from '../../design/table.tsx';
import { useFormat } from '../../i18n/format.ts';
import { List } from '../../records/list.tsx';
import { useList } from '../../records/use-list.ts';
import { allOrganizationsQuery } from './administration.ts';
import { useText } from './text.ts';

const route = getRouteApi('/signed-in/admin/organizations');

/** The organizations of the service. A row leads to the organization's failed messages. */
export function OrganizationsPage(): ReactNode {
  const t = useText();
  const navigate = route.useNavigate();
  const { search = '' } = route.useSearch();
  const columns = useColumns();
  const list = useList(allOrganizationsQuery(search));
  const find = useCallback(
    (text: string) => void navigate({ search: text === '' ? {} : { search: text }, replace: true }),
    [navigate],
  );
  return (
    <Page title={t('organizations')} description={t('organizationsHint')}>
      <search>
        <SearchField label={t('findOrganization')} value={search} onChange={find} />
      </search>
      <List
        list={list}
        label={t('organizations')}
        columns={columns}
        empty={
          <EmptyState icon={Building2} title={t('noOrganization')} description={t('noOrganizationHint')} />
        }
      />
    </Page>
  );
}

function useColumns(): Column<AdministeredOrganization>[] {
  const t = useText();
  const format = useFormat();
  return useMemo(
    () => [
      {
        id: 'name',
        header: t('name'),
        cell: ({ id, name }) => (
          <Link to="/admin/failed-messages" search={{ organizationId: id }} className="row-link font-medium">
            {name}
          </Link>
        ),
      },
      {
        id: 'slug',
        header: t('slug'),
        isHiddenOnPhone: true,
        cell: ({ slug }) => <span className="font-mono text-sm text-muted">{slug}</span>,
      },
      {
        id: 'id',
        header: t('id'),
        width: 'w-44',
        isHiddenOnPhone: true,
        cell: ({ id }) => <code className="text-sm text-muted">{`…${id.slice(-12)}`}</code>,
      },
      {
        id: 'members',
        header: t('members'),
        width: 'w-28 max-sm:w-24',
        align: 'end',
        cell: ({ memberCount }) => format.number(memberCount),
      },
      {
        id: 'createdAt',
        header: t('created'),
        width: 'w-32 max-sm:w-24',
        align: 'end',
        cell: ({ createdAt }) => (
          <time dateTime={createdAt} title={format.dateTime(createdAt)} className="text-sm text-muted">
            {format.ago(createdAt)}
          </time>
        ),
      },
    ],
    [format, t],
  );
}
