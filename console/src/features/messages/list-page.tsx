import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { MessageSquareText, Plus } from 'lucide-react';
import type { Message } from 'sms-service-client';
import { useCallback, useEffect, useMemo, type ReactNode } from 'react';
import { Badge } from '../../design/badge.tsx';
import { ButtonLink } from '../../design/button.tsx';
import { Page } from '../../design/page.tsx';
import { EmptyState, ErrorState } from '../../design/states.tsx';
import { Table, TableSkeleton, type Column } from '../../design/table.tsx';
import { useFormat } from '../../i18n/format.ts';
import { useOrganization } from '../organizations/organization.ts';
import { Filters } from './filters.tsx';
import { mergeNewest } from './merge-newest.ts';
import { MessageStatusBadge } from './message-status-badge.tsx';
import { messagesQuery, newestMessagesQuery, type MessageFilters } from './messages.ts';
import { useText } from './text.ts';

const route = getRouteApi('/signed-in/o/$organization/messages');

/** The messages of the organization, live. */
export function ListPage(): ReactNode {
  const t = useText();
  const { slug } = useOrganization();
  const filters = route.useSearch();
  return (
    <Page
      title={t('title')}
      actions={
        <ButtonLink
          variant="primary"
          to="/o/$organization/messages/send"
          params={{ organization: slug }}
          icon={<Plus aria-hidden className="size-4" />}
        >
          {t('send')}
        </ButtonLink>
      }
    >
      <Filters filters={filters} />
      <Messages filters={filters} />
    </Page>
  );
}

function Messages({ filters }: { filters: MessageFilters }): ReactNode {
  const t = useText();
  const { slug } = useOrganization();
  const { rows, error, isPending, refetch, loadMore, isLoadingMore } = useLiveMessages(filters);
  const columns = useColumns();
  if (isPending) return <TableSkeleton />;
  if (error !== null) return <ErrorState error={error} onRetry={refetch} />;
  if (rows.length === 0) {
    const isFiltered = Object.keys(filters).length > 0;
    return (
      <div className="rounded-lg border border-line bg-surface">
        <EmptyState
          icon={MessageSquareText}
          title={isFiltered ? t('noneMatch') : t('none')}
          description={isFiltered ? t('noneMatchHint') : t('noneHint')}
          action={
            isFiltered ? (
              <ButtonLink to="/o/$organization/messages" params={{ organization: slug }}>
                {t('clearFilters')}
              </ButtonLink>
            ) : (
              <ButtonLink to="/o/$organization/messages/send" params={{ organization: slug }}>
                {t('send')}
              </ButtonLink>
            )
          }
        />
      </div>
    );
  }
  return (
    <Table
      label={t('title')}
      columns={columns}
      rows={rows}
      rowId={({ id }) => id}
      onEnd={loadMore}
      isLoadingMore={isLoadingMore}
    />
  );
}

function useColumns(): Column<Message>[] {
  const t = useText();
  const format = useFormat();
  const { slug } = useOrganization();
  return useMemo(
    () => [
      {
        id: 'to',
        header: t('recipient'),
        width: 'w-44 max-sm:w-auto',
        cell: ({ id, to }) => (
          <Link
            to="/o/$organization/messages/$messageId"
            params={{ organization: slug, messageId: id }}
            className="row-link font-mono text-sm"
          >
            {to}
          </Link>
        ),
      },
      { id: 'from', header: t('sender'), width: 'w-36', isHiddenOnPhone: true, cell: ({ from }) => from },
      {
        id: 'text',
        header: t('text'),
        isHiddenOnPhone: true,
        cell: ({ text, environment }) => (
          <span className="flex items-center gap-2">
            {environment === 'test' && <Badge tone="accent">{t('test')}</Badge>}
            <span className="truncate text-muted">{text}</span>
          </span>
        ),
      },
      {
        id: 'status',
        header: t('status'),
        width: 'w-32 max-sm:w-28',
        cell: ({ status }) => <MessageStatusBadge status={status} />,
      },
      {
        id: 'createdAt',
        header: t('created'),
        width: 'w-40 max-sm:w-20',
        align: 'end',
        cell: ({ createdAt }) => (
          <time dateTime={createdAt} title={format.dateTime(createdAt)} className="text-sm text-muted">
            <span className="max-sm:hidden">{format.ago(createdAt)}</span>
            <span className="sm:hidden">{format.age(createdAt)}</span>
          </time>
        ),
      },
    ],
    [format, slug, t],
  );
}

function useLiveMessages(filters: MessageFilters) {
  const { organizationId } = useOrganization();
  const queryClient = useQueryClient();
  const listQuery = messagesQuery(organizationId, filters);
  const list = useInfiniteQuery(listQuery);
  const { data: newest } = useQuery(newestMessagesQuery(organizationId, filters));
  const { fetchNextPage, hasNextPage, isFetchingNextPage } = list;
  const listed = useMemo(() => list.data?.pages.flatMap(({ data }) => data), [list.data]);
  const merged = useMemo(() => listed && newest && mergeNewest(listed, newest), [listed, newest]);
  const { queryKey } = listQuery;
  useEffect(() => {
    if (merged !== null || newest === undefined) return;
    queryClient.setQueryData(queryKey, { pages: [newest], pageParams: [undefined] });
  }, [merged, newest, queryClient, queryKey]);
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [fetchNextPage, hasNextPage, isFetchingNextPage]);
  return {
    rows: merged ?? listed ?? [],
    error: listed === undefined ? list.error : null,
    isPending: list.isPending,
    refetch: () => void list.refetch(),
    loadMore,
    isLoadingMore: isFetchingNextPage,
  };
}
