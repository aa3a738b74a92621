import { infiniteQueryOptions, type QueryKey } from '@tanstack/react-query';

const pageSize = 100;

/** The most pages that are read again and again: reading a list that was scrolled far would cost more than the news. */
const mostPolledPages = 3;

/** A page of any list of the API: with a cursor, or with a number. */
export interface ListPage<Row> {
  data: Row[];
  pagination: { nextCursor: string | null } | { page: number; totalPages: number };
}

/** Where a page begins: at the cursor that the page before it names, or at the page's number. */
type Position = { cursor?: string; page?: number };

const firstPosition: Position = {};

type Request<Row, Paging> = (
  paging: Paging,
  options: { signal: AbortSignal },
) => { page: () => Promise<ListPage<Row>> };

/** How often a list is read again, in milliseconds; it may depend on the rows of its first page. */
type RefetchMs<Row> = number | ((rows: readonly Row[]) => number);

/** Describes a list of the API, which is read page by page with cursors. With `refetchMs` it stays up to date. */
export function listQuery<Row>(
  queryKey: QueryKey,
  request: Request<Row, { limit: number; cursor?: string }>,
  refetchMs?: RefetchMs<Row>,
) {
  return readPageByPage<Row>(
    queryKey,
    ({ cursor }, options) => request({ limit: pageSize, ...(cursor !== undefined && { cursor }) }, options),
    refetchMs,
  );
}

/** Describes a list of the API whose pages have numbers. With `refetchMs` it stays up to date. */
export function numberedListQuery<Row>(
  queryKey: QueryKey,
  request: Request<Row, { pageSize: number; page: number }>,
  refetchMs?: RefetchMs<Row>,
) {
  return readPageByPage<Row>(
    queryKey,
    ({ page = 1 }, options) => request({ pageSize, page }, options),
    refetchMs,
  );
}

export type ListQuery<Row> = ReturnType<typeof listQuery<Row>>;

function readPageByPage<Row>(
  queryKey: QueryKey,
  request: Request<Row, Position>,
  refetchMs: RefetchMs<Row> | undefined,
) {
  return infiniteQueryOptions({
    queryKey,
    initialPageParam: firstPosition,
    queryFn: ({ signal, pageParam }) => request(pageParam, { signal }).page(),
    getNextPageParam: ({ pagination }): Position | undefined => {
      if ('nextCursor' in pagination) {
        return pagination.nextCursor === null ? undefined : { cursor: pagination.nextCursor };
      }
      return pagination.page < pagination.totalPages ? { page: pagination.page + 1 } : undefined;
    },
    // A list that was scrolled far has many pages, which are read again only when something has changed.
    staleTime: ({ state: { data } }) => (data !== undefined && data.pages.length > 1 ? 60_000 : 5_000),
    refetchInterval: ({ state: { data } }) => {
      if (refetchMs === undefined || (data?.pages.length ?? 0) > mostPolledPages) return false;
      return typeof refetchMs === 'number' ? refetchMs : refetchMs(data?.pages[0]?.data ?? []);
    },
  });
}
