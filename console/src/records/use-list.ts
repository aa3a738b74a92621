import { useInfiniteQuery, useQueryClient, type InfiniteData, type QueryKey } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import type { ListPage, ListQuery } from './list-query.ts';

/** A list of the API as far as it was read, and what reads on. */
export interface ListState<Row> {
  items: readonly Row[];
  /** Why nothing could be read. */
  error: Error | null;
  isPending: boolean;
  hasMore: boolean;
  isLoadingMore: boolean;
  loadMore: () => void;
  refetch: () => void;
}

/** Reads a list, at first its first page. */
export function useList<Row>(query: ListQuery<Row>): ListState<Row> {
  const { data, error, isPending, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } =
    useInfiniteQuery(query);
  const items = useMemo(() => data?.pages.flatMap((page) => page.data) ?? [], [data]);
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [fetchNextPage, hasNextPage, isFetchingNextPage]);
  return {
    items,
    error: data === undefined ? error : null,
    isPending,
    hasMore: hasNextPage,
    isLoadingMore: isFetchingNextPage,
    loadMore,
    refetch: () => void refetch(),
  };
}

interface ListChanges<Row> {
  /** Shows a changed row in its place, so that the reader does not lose theirs in a long list. */
  replace: (row: Row) => void;
  remove: (id: string) => void;
  /** Reads the lists again from their first page. */
  refresh: () => Promise<void>;
}

/** Returns what brings all lists whose keys begin with `key` up to date after a change. */
export function useListChanges<Row extends { id: string }>(key: QueryKey): ListChanges<Row> {
  const queryClient = useQueryClient();
  type Pages = InfiniteData<ListPage<Row>>;
  const change = async (changed: (pages: Pages) => Pages): Promise<void> => {
    // What is being read at this moment may not have the change yet.
    await queryClient.cancelQueries({ queryKey: key });
    queryClient.setQueriesData<Pages>({ queryKey: key }, (pages) => pages && changed(pages));
    await queryClient.refetchQueries({
      ...{ queryKey: key, type: 'active' },
      predicate: ({ state }) => state.data === undefined,
    });
  };
  const changeRows = (changed: (rows: Row[]) => Row[]): void =>
    void change(({ pages, pageParams }) => ({
      pages: pages.map((page) => ({ ...page, data: changed(page.data) })),
      pageParams,
    }));
  return {
    replace: (row) => changeRows((rows) => rows.map((known) => (known.id === row.id ? row : known))),
    remove: (id) => changeRows((rows) => rows.filter((known) => known.id !== id)),
    refresh: async () => {
      await change(({ pages, pageParams }) => ({
        pages: pages.slice(0, 1),
        pageParams: pageParams.slice(0, 1),
      }));
      await queryClient.invalidateQueries({ queryKey: key });
    },
  };
}
