import {
  infiniteQueryOptions,
  useInfiniteQuery,
  useQueryClient,
  type InfiniteData,
} from '@tanstack/react-query';
import { useCallback, useMemo, type ReactNode } from 'react';
import { ErrorState } from './design/states.tsx';
import { Table, TableSkeleton, type Column } from './design/table.tsx';

/** A page of any list of the API: with a cursor, or with a number. */
interface ListPage<Row> {
  data: Row[];
  pagination: { nextCursor: string | null } | { page: number; totalPages: number };
}

type Position = { cursor?: string; page?: number };

const firstPosition: Position = {};

/**
 * The query of a list, page by page.
 *
 * @param fetchPage requests the page at a position: the first, or the one that the page before it names
 */
export function listQuery<Row>(
  queryKey: readonly unknown[],
  fetchPage: (position: Position, signal: AbortSignal) => Promise<ListPage<Row>>,
) {
  return infiniteQueryOptions({
    queryKey,
    initialPageParam: firstPosition,
    queryFn: ({ signal, pageParam }) => fetchPage(pageParam, signal),
    getNextPageParam: ({ pagination }): Position | undefined => {
      if ('nextCursor' in pagination) {
        return pagination.nextCursor === null ? undefined : { cursor: pagination.nextCursor };
      }
      return pagination.page < pagination.totalPages ? { page: pagination.page + 1 } : undefined;
    },
    // A list that was scrolled far has many pages, which are read again only when something has changed.
    staleTime: 60_000,
  });
}

interface ListProps<Row> {
  query: ReturnType<typeof listQuery<Row>>;
  /** What the rows are, for screen readers. */
  label: string;
  columns: readonly Column<Row>[];
  rowId: (row: Row) => string;
  /** Shown when there are no rows. */
  empty: ReactNode;
}

/** A list of the API in each of its states. Further pages are read when the reader comes near the last row. */
export function List<Row extends object>({ query, label, columns, rowId, empty }: ListProps<Row>): ReactNode {
  const list = useInfiniteQuery(query);
  const { fetchNextPage, hasNextPage, isFetchingNextPage } = list;
  const rows = useMemo(() => list.data?.pages.flatMap(({ data }) => data), [list.data]);
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [fetchNextPage, hasNextPage, isFetchingNextPage]);
  if (rows === undefined) {
    return list.error === null ? (
      <TableSkeleton />
    ) : (
      <ErrorState error={list.error} onRetry={() => void list.refetch()} />
    );
  }
  if (rows.length === 0) return <div className="rounded-lg border border-line bg-surface">{empty}</div>;
  return <Table {...{ label, columns, rows, rowId }} onEnd={loadMore} isLoadingMore={isFetchingNextPage} />;
}

interface ListChanges<Row> {
  /** Shows a changed row in its place, so that the reader does not lose theirs in a long list. */
  replace: (row: Row) => void;
  remove: (id: string) => void;
  /** Reads the lists again from their first page. */
  refresh: () => Promise<void>;
}

/** Returns what brings all lists whose keys begin with `key` up to date after a change. */
export function useListChanges<Row extends { id: string }>(key: readonly unknown[]): ListChanges<Row> {
  const queryClient = useQueryClient();
  type Pages = InfiniteData<ListPage<Row>>;
  const change = (changed: (rows: Row[]) => Row[]): void => {
    queryClient.setQueriesData<Pages>(
      { queryKey: key },
      (list) => list && { ...list, pages: list.pages.map((page) => ({ ...page, data: changed(page.data) })) },
    );
  };
  return {
    replace: (row) => change((rows) => rows.map((known) => (known.id === row.id ? row : known))),
    remove: (id) => change((rows) => rows.filter((known) => known.id !== id)),
    refresh: async () => {
      queryClient.setQueriesData<Pages>(
        { queryKey: key },
        (list) => list && { pages: list.pages.slice(0, 1), pageParams: list.pageParams.slice(0, 1) },
      );
      await queryClient.invalidateQueries({ queryKey: key });
    },
  };
}
