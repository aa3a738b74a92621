import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Search, UserSearch } from 'lucide-react';
import type { User } from 'sms-service-client';
import { useCallback, useMemo, useState, type ReactNode } from 'react';
import { Ago } from '../../design/ago.tsx';
import { Badge } from '../../design/badge.tsx';
import { classes } from '../../design/classes.ts';
import { controlLook } from '../../design/control-look.ts';
import { Page } from '../../design/page.tsx';
import { EmptyState, ErrorState } from '../../design/states.tsx';
import { Table, TableSkeleton, type Column } from '../../design/table.tsx';
import { useText } from './text.ts';
import { UserDialog } from './user-dialog.tsx';
import { usersQuery } from './users.ts';

const route = getRouteApi('/signed-in/admin/users');

/** The users of the service, for its administrators. */
export function ListPage(): ReactNode {
  const t = useText();
  const navigate = route.useNavigate();
  const { search = '' } = route.useSearch();
  return (
    <Page title={t('title')} description={t('description')}>
      <search className="relative w-72 max-sm:w-full">
        <Search
          aria-hidden
          className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-muted"
        />
        <input
          type="search"
          aria-label={t('find')}
          placeholder={t('find')}
          value={search}
          onChange={({ target: { value } }) =>
            void navigate({ search: value === '' ? {} : { search: value }, replace: true })
          }
          className={classes(controlLook, 'h-9 w-full pl-8 max-sm:h-11')}
        />
      </search>
      <Users search={search} />
    </Page>
  );
}

function Users({ search }: { search: string }): ReactNode {
  const t = useText();
  const [openId, setOpenId] = useState<string>();
  const { data, error, isPending, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } =
    useInfiniteQuery(usersQuery(search));
  const users = useMemo(() => data?.pages.flatMap((page) => page.users) ?? [], [data]);
  const columns = useColumns(setOpenId);
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [fetchNextPage, hasNextPage, isFetchingNextPage]);
  if (isPending) return <TableSkeleton />;
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (users.length === 0)
    return <EmptyState icon={UserSearch} title={t('none')} description={t('noneHint')} />;
  return (
    <>
      <Table
        label={t('title')}
        columns={columns}
        rows={users}
        rowId={({ id }) => id}
        onEnd={loadMore}
        isLoadingMore={isFetchingNextPage}
      />
      <UserDialog user={users.find(({ id }) => id === openId)} onClose={() => setOpenId(undefined)} />
    </>
  );
}

function useColumns(open: (id: string) => void): Column<User>[] {
  const t = useText();
  return useMemo(
    () => [
      {
        id: 'email',
        header: t('email'),
        cell: ({ id, email }) => (
          <button type="button" className="row-link" onClick={() => open(id)}>
            {email}
          </button>
        ),
      },
      { id: 'name', header: t('name'), isHiddenOnPhone: true, cell: ({ name }) => name },
      {
        id: 'state',
        header: t('state'),
        width: 'w-40 max-sm:w-36',
        cell: ({ banned, role, emailVerified }) =>
          banned ? (
            <Badge tone="danger">{t('banned')}</Badge>
          ) : role === 'admin' ? (
            <Badge tone="accent">{t('admin')}</Badge>
          ) : emailVerified ? (
            <Badge tone="success">{t('confirmed')}</Badge>
          ) : (
            <Badge tone="neutral">{t('notConfirmed')}</Badge>
          ),
      },
      {
        id: 'createdAt',
        header: t('since'),
        width: 'w-28',
        align: 'end',
        isHiddenOnPhone: true,
        cell: ({ createdAt }) => <Ago at={createdAt} />,
      },
    ],
    [open, t],
  );
}
