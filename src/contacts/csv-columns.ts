import { ApiError } from '../errors.ts';
import type { ContactFields } from './contact-fields.ts';

/** The part of a contact that the cells of a column contain. */
export type CsvColumn =
  | { kind: 'field'; field: ContactColumn }
  | { kind: 'custom'; name: string }
  /** Custom fields as a JSON object. */
  | { kind: 'customFields' }
  /** A column that the file of rejects adds. */
  | { kind: 'ignored' }
  /** A column without a name, as spreadsheets write after their last column: its cells must be empty. */
  | { kind: 'unnamed' };

/** The fields that have a column of their own. */
export type ContactColumn = Exclude<keyof ContactFields, 'customFields'>;

export const customFieldsColumn = 'customFields';
export const rejectColumns = ['rejectedLine', 'rejectedReason'] as const;

/**
 * The other names by which each column is recognised; case, spaces, hyphens and underscores do not matter. An export
 * has the columns in this order.
 */
const aliases: Record<ContactColumn, readonly string[]> = {
  phoneNumber: [
    ...['phone', 'phone no', 'mobile', 'mobile number', 'mobile phone', 'mobile no', 'cell', 'cell phone'],
    ...['telephone', 'tel', 'number', 'msisdn', 'ስልክ', 'ስልክ ቁጥር'],
  ],
  firstName: ['given name', 'ስም'],
  lastName: ['surname', 'family name', 'የአባት ስም'],
  email: ['e-mail', 'email address', 'e-mail address', 'mail', 'ኢሜይል'],
  company: ['company name', 'organization', 'organisation', 'ድርጅት'],
  tags: ['tag', 'labels'],
};

/** The columns of an export before those of the custom fields. An import recognises them by their names. */
export const csvContactColumns = Object.keys(aliases) as ContactColumn[];

const known = new Map<string, CsvColumn>([
  ...csvContactColumns.flatMap((field) =>
    [field, ...aliases[field]].map((name): [string, CsvColumn] => [fold(name), { kind: 'field', field }]),
  ),
  [fold(customFieldsColumn), { kind: 'customFields' }],
  ...rejectColumns.map((name): [string, CsvColumn] => [fold(name), { kind: 'ignored' }]),
]);

/** The prefix of a header whose rest is the exact name of a custom field. */
const customPrefix = `${customFieldsColumn}.`;

function fold(header: string): string {
  return header
    .toLowerCase()
    .normalize('NFC')
    .replace(/[\s_-]/g, '');
}

/** Determines what a column contains from its header. */
export function readColumn(header: string): CsvColumn {
  if (header.startsWith(customPrefix)) return { kind: 'custom', name: header.slice(customPrefix.length) };
  const name = header.trim();
  if (name === '') return { kind: 'unnamed' };
  return known.get(fold(name)) ?? { kind: 'custom', name };
}

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
export function fileError(code: string, problem: string): ApiError {
  return new ApiError('invalid_request', `The file cannot be imported: ${problem}.`, {
    errors: [{ path: '/body/file', code, message: problem }],
  });
}

function shown(header: string): string {
  return header.length > 40 ? `${header.slice(0, 40)}…` : header;
}
