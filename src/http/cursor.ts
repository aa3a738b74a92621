import type { Request } from 'express';
import { validate } from 'uuid';
import { ApiError } from '../errors.ts';

/** A list paginated by `limit` and `cursor`, newest first by id, because ids are UUIDv7. */
export interface CursorPage<T> {
  data: T[];
  pagination: { limit: number; nextCursor: string | null };
}

/** Which page of a list a request asks for. */
export interface CursorQuery {
  /** The name of the list: nameOfList. */
  list: string;
  limit: number;
  /** Only ids lower than this one: the last id of the previous page. */
  before: string | null;
}

/** Reads the two query parameters. openapi.yaml has validated `limit` as digits. Errors: invalid_request. */
export function readCursor(request: Request): CursorQuery {
  const { cursor } = request.query;
  const page = { list: nameOfList(request), limit: readLimit(request.query['limit']) };
  if (cursor === undefined) return { ...page, before: null };
  const id = decodeCursor(page.list, cursor);
  if (!validate(id)) throw cursorError();
  return { ...page, before: id };
}

/**
 * The name by which cursors know their list: its path, which is unique and has one spelling by now. Filters are not
 * part of it, so they may change between pages.
 */
export function nameOfList({ path }: Request): string {
  return path.replace(/^\/api\/v1\/|\/$/g, '');
}

/** Reads the page size, which openapi.yaml has validated as digits. */
export function readLimit(limit: unknown): number {
  return Number(limit ?? 50);
}

/** Encodes a position in a list. Without the name, the list of contacts would accept a cursor of messages. */
export function encodeCursor(list: string, position: string): string {
  return Buffer.from(`${list} ${position}`, 'latin1').toString('base64url');
}

/** Returns the position that was encoded for this list. Errors: invalid_request for the cursor of another list. */
export function decodeCursor(list: string, cursor: unknown): string {
  const text = typeof cursor === 'string' ? Buffer.from(cursor, 'base64url').toString('latin1') : '';
  if (!text.startsWith(`${list} `)) throw cursorError();
  return text.slice(list.length + 1);
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
  { list, limit }: Pick<CursorQuery, 'list' | 'limit'>,
  toRecord: (row: Row) => T,
): CursorPage<T> {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    data: page.map(toRecord),
    pagination: {
      limit,
      nextCursor: rows.length > limit && last ? encodeCursor(list, last.id) : null,
    },
  };
}
