import { isUtf8 } from 'node:buffer';
import { restoreCell } from './csv-cells.ts';
import { fileError, readColumn, readColumns } from './csv-columns.ts';
import { readRows } from './read-csv.ts';

/** What the first line of a file says of the rest. */
export interface CsvHeader {
  delimiter: ',' | ';';
  headers: string[];
  /** Where the first row begins. */
  nextByte: number;
  nextLine: number;
}

/** A header may have as many bytes; it is within the first of a file that are looked at. */
export const headerBytes = 256 * 1024;

const byteOrderMark = Buffer.from('\ufeff');

/**
 * Reads the header of a file from its first bytes. Errors: invalid_request for a file that cannot be imported as a
 * whole; nothing but its header is looked at.
 */
export function readHeader(start: Buffer, isEnd: boolean): CsvHeader {
  if (/^(fffe|feff)/.test(start.toString('hex', 0, 2))) {
    throw fileError('wrong_encoding', 'it is UTF-16; save it as “CSV UTF-8”');
  }
  const skipped = start.subarray(0, 3).equals(byteOrderMark) ? byteOrderMark.length : 0;
  const bytes = start.subarray(skipped);
  if (bytes.length === 0) throw fileError('empty', 'it is empty');
  const candidates = ([',', ';'] as const).map((delimiter) => readLine(bytes, delimiter, isEnd));
  const [commas, semicolons] = candidates as [Line, Line];
  const { delimiter, headers, end, lines } = countOf(semicolons) > countOf(commas) ? semicolons : commas;
  readColumns(headers);
  return { delimiter, headers, nextByte: skipped + end, nextLine: 1 + lines };
}

type Line = { delimiter: ',' | ';'; headers: string[]; end: number; lines: number };

function readLine(bytes: Buffer, delimiter: ',' | ';', isEnd: boolean): Line {
  const { rows, bytes: end, lines } = readRows(bytes, { delimiter, maxRows: 1, isEnd, mustRead: true });
  const { cells } = rows[0]!;
  if (!cells.every((cell) => isUtf8(cell))) {
    throw fileError('wrong_encoding', 'its first line is not UTF-8; save it as “CSV UTF-8”');
  }
  return { delimiter, headers: cells.map((cell) => restoreCell(cell.toString())), end, lines };
}

/** The separator is the one by which there is a column of numbers, and then the one that makes more columns. */
function countOf({ headers }: Line): number {
  const hasPhone = headers
    .map(readColumn)
    .some((column) => column.kind === 'field' && column.field === 'phoneNumber');
  return headers.length + (hasPhone ? 1_000_000 : 0);
}
