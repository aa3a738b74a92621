import { validate } from 'uuid';
import { ApiError } from '../errors.ts';

/** A list of `limit` and `cursor` (contract section 1), newest first by id, for ids are UUIDv7. */
export interface CursorPage<T> {
  data: T[];
  pagination: { limit: number; nextCursor: string | null };
}

/** Reads the two query parameters; `limit` is digits already held against openapi.yaml. Errors: invalid_request. */
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

/** The page's size: digits already held against openapi.yaml. */
export function readLimit(limit: unknown): number {
  return Number(limit ?? 50);
}

export function cursorError(): ApiError {
  return new ApiError('invalid_request', 'The cursor is none of this list; leave it out to begin anew.', {
    errors: [{ path: '/query/cursor', code: 'wrong_format', message: 'must be a nextCursor of this list' }],
  });
}

/** Makes a page of rows read with `limit + 1`: the one too many tells that there is a next page. */
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
