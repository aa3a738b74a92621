import {
  emptyContact,
  mergeContact,
  textLimits,
  type ContactInput,
  type CustomFields,
} from '../contact-fields.ts';
import { restoreCell } from '../../http/csv-formulas.ts';
import { refuseUnstorable } from '../../http/storable-values.ts';
import { splitTags } from '../csv-cells.ts';
import type { CsvColumn } from '../read-column.ts';
import type { CsvRow } from './read-csv.ts';

/** Why a row is rejected. */
export interface RowProblem {
  /** The column as the header names it; null when the problem is not about one column. */
  column: string | null;
  code: string;
  /** Part of a sentence: no capital, no full stop. */
  message: string;
}

export type ContactRow =
  { ok: true; phoneNumber: string; input: ContactInput } | { ok: false; problem: RowProblem };

/** The columns of a file and their headers. */
export interface CsvColumns {
  columns: CsvColumn[];
  headers: string[];
}

/**
 * Converts a row to the input of a contact; an empty cell leaves its field as it is. Numbers that a spreadsheet has
 * shortened (2.51911E+11) are rejected, because their last digits are lost.
 */
export function readContactRow({ cells, brokenCell }: CsvRow, { columns, headers }: CsvColumns): ContactRow {
  const refuse = (index: number | null, code: string, message: string): ContactRow => ({
    ok: false,
    problem: { column: index === null ? null : (headers[index] ?? null), code, message },
  });
  const input: ContactInput = { phoneNumber: '' };
  const custom: CustomFields = {};
  for (const [index, cell] of cells.entries()) {
    if (index === brokenCell) return refuse(index, 'invalid_encoding', 'is not UTF-8');
    const text = restoreCell(cell);
    if (text.includes('\0')) return refuse(index, 'invalid_characters', 'must not contain NUL');
    const column = columns[index];
    if (column?.kind === 'ignored' || text.trim() === '') {
      // Spaces are a value wherever the API keeps them, so that an export can be imported again without a loss.
      const isKept = column?.kind === 'custom' || (column?.kind === 'field' && column.field in textLimits);
      if (!isKept || text === '') continue;
    }
    if (!column)
      return refuse(null, 'too_many_cells', `has more than the ${columns.length} cells of the first line`);
    if (column.kind === 'unnamed')
      return refuse(index, 'unnamed_column', 'has a value, but its column has no name');
    if (column.kind === 'custom') custom[column.name] = text;
    else if (column.kind === 'customFields') {
      const fields = parseCustomFields(text);
      if (!fields) return refuse(index, 'wrong_type', 'must be a JSON object that can be stored');
      Object.assign(custom, fields);
    } else if (column.field === 'tags') input.tags = splitTags(text);
    else input[column.field] = text;
  }
  return finish(input, custom, { columns, headers });
}

function finish(input: ContactInput, custom: CustomFields, { columns, headers }: CsvColumns): ContactRow {
  const headerOf = (wanted: (column: CsvColumn) => boolean): string | null =>
    headers[columns.findIndex(wanted)] ?? null;
  const phone = input.phoneNumber.trim().replace(/^'+/, '');
  const phoneColumn = headerOf((column) => column.kind === 'field' && column.field === 'phoneNumber');
  const refusePhone = (code: string, message: string): ContactRow => ({
    ok: false,
    problem: { column: phoneColumn, code, message },
  });
  if (phone === '') return refusePhone('required', 'must not be empty');
  if (/^[+-]?\d+([.,]\d*)?e[+-]?\d+$/i.test(phone)) {
    return refusePhone(
      'scientific_notation',
      'was shortened by a spreadsheet; format the column as text and enter the number with all its digits',
    );
  }
  if (Object.keys(custom).length > 0) input.customFields = custom;
  const merged = mergeContact(emptyContact, { ...input, phoneNumber: phone });
  if (merged.ok)
    return { ok: true, phoneNumber: merged.fields.phoneNumber, input: { ...input, phoneNumber: phone } };
  const { field, code, message } = merged.problems[0]!;
  if (field === 'phoneNumber') return refusePhone(code, `cannot be used: ${message}`);
  const column = headerOf((each) =>
    field === 'customFields' ? each.kind === field : each.kind === 'field' && each.field === field,
  );
  return { ok: false, problem: { column, code, message } };
}

function parseCustomFields(text: string): CustomFields | null {
  try {
    const fields = JSON.parse(text) as unknown;
    if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) return null;
    refuseUnstorable(fields);
    return fields as CustomFields;
  } catch {
    return null;
  }
}
