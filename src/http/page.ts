/** A list paginated by `page` and `pageSize`. */
export interface NumberedPage<T> {
  data: T[];
  pagination: { page: number; pageSize: number; total: number; totalPages: number };
}

/** More rows than any table has, and the maximum that PostgreSQL compares with an integer column. */
const maxOffset = 2_147_483_647;

/** Reads the two query parameters, already validated as digits. `offset` is the number of rows to skip. */
export function readPage(query: { page?: unknown; pageSize?: unknown }): {
  page: number;
  pageSize: number;
  offset: number;
} {
  const [page, pageSize] = [Number(query.page ?? 1), Number(query.pageSize ?? 25)];
  return { page, pageSize, offset: Math.min((page - 1) * pageSize, maxOffset) };
}

/** Builds the page from its records and the total on all pages. A page after the last one is empty. */
export function toNumberedPage<T>(
  data: T[],
  total: number,
  { page, pageSize }: { page: number; pageSize: number },
): NumberedPage<T> {
  return { data, pagination: { page, pageSize, total, totalPages: Math.ceil(total / pageSize) } };
}
