import type { Schemas } from '../http/contract/contract-types.ts';

// The console shows with these rules what an import will make of each column, so this file loads no other.

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
export type ContactColumn = Exclude<keyof Schemas['ContactInput'], 'organizationId' | 'customFields'>;

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
export const customPrefix = `${customFieldsColumn}.`;

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
