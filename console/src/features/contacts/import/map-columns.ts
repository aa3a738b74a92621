import {
  csvContactColumns,
  readColumn,
  type ContactColumn,
} from '../../../../../src/contacts/read-column.ts';
import type { CsvFile } from './parse-csv.ts';

/** What becomes of a column: a field of the contact, custom fields, or nothing. */
export type ColumnMeaning = ContactColumn | 'custom' | 'customFields' | 'leftOut';

export const contactColumns: readonly ContactColumn[] = csvContactColumns;

/** What the import takes the columns of a file for. Of two columns for the same field, the first is taken. */
export function recognizeColumns(headers: readonly string[]): ColumnMeaning[] {
  const seen = new Set<ColumnMeaning>();
  return headers.map((header) => {
    const column = readColumn(header);
    const meaning =
      column.kind === 'field'
        ? column.field
        : column.kind === 'custom' || column.kind === 'customFields'
          ? column.kind
          : 'leftOut';
    if (meaning !== 'custom' && meaning !== 'leftOut' && seen.has(meaning)) return 'leftOut';
    seen.add(meaning);
    return meaning;
  });
}

/** Gives a column another meaning. A column that had it before is left out. */
export function changeMeaning(
  meanings: readonly ColumnMeaning[],
  changed: number,
  meaning: ColumnMeaning,
): ColumnMeaning[] {
  return meanings.map((before, index) => {
    if (index === changed) return meaning;
    return before === meaning && meaning !== 'custom' ? 'leftOut' : before;
  });
}

/** The file with a header from which the import reads these meanings; the very file if its own header says them. */
export function withMeanings(
  file: File,
  text: string,
  csv: CsvFile,
  meanings: readonly ColumnMeaning[],
): Blob {
  const isRecognized = csv.headers.every((header, index) => {
    const column = readColumn(header);
    const meaning = meanings[index];
    if (meaning === 'leftOut') return column.kind === 'ignored';
    return column.kind === 'field' ? column.field === meaning : column.kind === meaning;
  });
  if (isRecognized) return file;
  const header = csv.headers.map((name, index) => headerOf(name, meanings[index]!)).join(csv.delimiter);
  const bytesBefore = new TextEncoder().encode(text.slice(0, csv.headerEnd)).length;
  return new Blob([text.slice(0, csv.headerStart), header, file.slice(bytesBefore)], { type: 'text/csv' });
}

function headerOf(name: string, meaning: ColumnMeaning): string {
  // The import ignores the columns that its own file of rejects adds.
  if (meaning === 'leftOut') return 'rejectedReason';
  if (meaning !== 'custom') return meaning;
  const custom = readColumn(name);
  return quote(`customFields.${custom.kind === 'custom' ? custom.name : name.trim()}`);
}

function quote(cell: string): string {
  return `"${cell.replaceAll('"', '""')}"`;
}

const ethiopianForms = /^(?:\+?251)?0?([1-9]\d{8})$/;

/** The number in the form that the service stores, so far as a file has it in one of the usual forms. */
export function toStoredNumber(entered: string): string {
  const number = entered.replace(/^'/, '').replace(/[^\d+]/g, '');
  const national = ethiopianForms.exec(number)?.[1];
  return national === undefined ? number : `+251${national}`;
}

/** The distinct numbers of a file. */
export function numbersOf(csv: CsvFile, meanings: readonly ColumnMeaning[]): Set<string> {
  const column = meanings.indexOf('phoneNumber');
  return new Set(csv.rows.map((row) => toStoredNumber(row[column] ?? '')).filter((number) => number !== ''));
}
