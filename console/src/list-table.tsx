import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useMemo, type ReactNode } from 'react';
import { ErrorState } from './design/states.tsx';
import { Table, TableSkeleton, type Column } from './design/table.tsx';
import type { ListQuery } from './list-query.ts';

/** The items of the pages that were read so far, and what reads the next one. */
export function useList<Item>(query: ListQuery<Item>) {
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
    refetch: () => void refetch(),
    loadMore,
    isLoadingMore: isFetchingNextPage,
  };
}

/** A list of the API as a table, in each of its states. */
export function ListTable<Item extends { id: string }>({
  query,
  label,
  columns,
  empty,
}: {
  query: ListQuery<Item>;
  label: string;
  columns: readonly Column<Item>[];
  /** What is shown in place of no rows. */
  empty: ReactNode;
}): ReactNode {
  const { items, error, isPending, refetch, loadMore, isLoadingMore } = useList(query);
  if (isPending) return <TableSkeleton />;
  if (error !== null) return <ErrorState error={error} onRetry={refetch} />;
  if (items.length === 0) return <div className="rounded-lg border border-line bg-surface">{empty}</div>;
  return (
    <Table
      label={label}
      columns={columns}
      rows={items}
      rowId={({ id }) => id}
      onEnd={loadMore}
      isLoadingMore={isLoadingMore}
    />
  );
}
