import { ApiError, type FieldError } from '../errors.ts';
import { customPrefix, readColumn, type CsvColumn } from './read-column.ts';

/** The header of a custom field; `readColumn` reads exactly the field's name from it. */
export function headerOfCustomField(name: string): string {
  const column = readColumn(name);
  const isItself = column.kind === 'custom' && column.name === name;
  return isItself ? name : `${customPrefix}${name}`;
}

/**
 * Determines what the columns of a file contain. Errors: invalid_request for a file without a column of phone
 * numbers, with two columns for the same field, or with a custom field whose name is not allowed.
 */
export function readColumns(headers: string[]): CsvColumn[] {
  const columns = headers.map(readColumn);
  const seen = new Map<string, string>();
  columns.forEach((column, index) => {
    const header = headers[index]!;
    if (column.kind === 'unnamed' || column.kind === 'ignored') return;
    const thing = column.kind === 'field' ? column.field : JSON.stringify(column);
    const before = seen.get(thing);
    if (before !== undefined) {
      throw fileError(
        'duplicate_column',
        `in its header “${shown(before)}” and “${shown(header)}” are the same column; remove one of them`,
      );
    }
    seen.set(thing, header);
    if (column.kind !== 'custom') return;
    if (column.name === '__proto__') {
      throw fileError('wrong_column_name', `the header column “${shown(header)}” needs another name`);
    }
  });
  if (!seen.has('phoneNumber')) {
    throw fileError(
      'phone_column_missing',
      'no column of its header has a name like phoneNumber, phone or mobile; columns are separated by , or ;',
    );
  }
  return columns;
}

/** @param problem part of a sentence: no capital, no full stop */
export function fileError(code: FieldError['code'], problem: string): ApiError {
  return new ApiError('invalid_request', `The file cannot be imported: ${problem}.`, {
    errors: [{ path: '/body/file', code, message: problem }],
  });
}

function shown(header: string): string {
  return header.length > 40 ? `${header.slice(0, 40)}…` : header;
}
