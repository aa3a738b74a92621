import { infiniteQueryOptions, type QueryKey } from '@tanstack/react-query';

const pageSize = 100;

interface CursorPage<Item> {
  data: Item[];
  pagination: { nextCursor: string | null };
}

/** What is sent to read one page. */
interface Paging {
  limit: number;
  cursor?: string;
}

/**
 * Describes a list of the API, which is read page by page. With `refetchMs` it is read again at this interval, as long as
 * only its first page is shown: reading many pages again would cost more than the news is worth.
 */
export function listQuery<Item>(
  queryKey: QueryKey,
  request: (paging: Paging, options: { signal: AbortSignal }) => { page: () => Promise<CursorPage<Item>> },
  refetchMs?: number,
) {
  return infiniteQueryOptions({
    queryKey,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ signal, pageParam: cursor }) =>
      request({ limit: pageSize, ...(cursor !== undefined && { cursor }) }, { signal }).page(),
    getNextPageParam: ({ pagination: { nextCursor } }) => nextCursor ?? undefined,
    refetchInterval: ({ state: { data } }) =>
      refetchMs !== undefined && (data?.pages.length ?? 0) <= 1 ? refetchMs : false,
  });
}

export type ListQuery<Item> = ReturnType<typeof listQuery<Item>>;
