import { validate } from 'uuid';
import { ApiError } from '../errors.ts';

/** A list paginated by `limit` and `cursor` (contract section 1), newest first by id, because ids are UUIDv7. */
export interface CursorPage<T> {
  data: T[];
  pagination: { limit: number; nextCursor: string | null };
}

/** Reads the two query parameters. openapi.yaml has validated `limit` as digits. Errors: invalid_request. */
export function readCursor(query: { limit?: unknown; cursor?: unknown }): {
  limit: number;
  before: string | null;
} {
  const limit = readLimit(query.limit);
  if (query.cursor === undefined) return { limit, before: null };
  const id = Buffer.from(typeof query.cursor === 'string' ? query.cursor : '', 'base64url').toString(
    'latin1',
  );
  if (!validate(id)) throw cursorError();
  return { limit, before: id };
}

/** Reads the page size, which openapi.yaml has validated as digits. */
export function readLimit(limit: unknown): number {
  return Number(limit ?? 50);
}

export function cursorError(): ApiError {
  return new ApiError(
    'invalid_request',
    'The cursor does not belong to this list. Leave it out to start from the beginning.',
    {
      errors: [{ path: '/query/cursor', code: 'wrong_format', message: 'must be a nextCursor of this list' }],
    },
  );
}

/** Builds a page from rows that were read with `limit + 1`. The extra row shows that there is a next page. */
export function toCursorPage<Row extends { id: string }, T>(
  rows: Row[],
  limit: number,
  toRecord: (row: Row) => T,
): CursorPage<T> {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    data: page.map(toRecord),
    pagination: {
      limit,
      nextCursor: rows.length > limit && last ? Buffer.from(last.id, 'latin1').toString('base64url') : null,
    },
  };
}
