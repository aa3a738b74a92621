/** A list of `page` and `pageSize` (contract section 1). */
export interface NumberedPage<T> {
  data: T[];
  pagination: { page: number; pageSize: number; total: number; totalPages: number };
}

/** More than any table has rows, and the most that PostgreSQL compares with an integer column. */
const maxOffset = 2_147_483_647;

/** Reads the two query parameters, digits already held against openapi.yaml; `offset` is how many come before. */
export function readPage(query: { page?: unknown; pageSize?: unknown }): {
  page: number;
  pageSize: number;
  offset: number;
} {
  const [page, pageSize] = [Number(query.page ?? 1), Number(query.pageSize ?? 25)];
  return { page, pageSize, offset: Math.min((page - 1) * pageSize, maxOffset) };
}

/** Makes the page of its records and of how many there are on all pages; a page past the last is empty. */
export function toNumberedPage<T>(
  data: T[],
  total: number,
  { page, pageSize }: { page: number; pageSize: number },
): NumberedPage<T> {
  return { data, pagination: { page, pageSize, total, totalPages: Math.ceil(total / pageSize) } };
}
