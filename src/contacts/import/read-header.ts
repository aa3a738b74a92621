import { restoreCell } from '../../http/csv-formulas.ts';
import { fileError, readColumns } from '../csv-columns.ts';
import { readColumn } from '../read-column.ts';
import { readRows } from './read-csv.ts';

/** The separators that may stand between columns. If a header is ambiguous, the first applies. */
const delimiters = [',', ';'] as const;
type Delimiter = (typeof delimiters)[number];

/** What the header of a file determines about the rest of the file. */
export interface CsvHeader {
  delimiter: Delimiter;
  headers: string[];
  /** Where the first row begins. */
  nextByte: number;
  nextLine: number;
}

/** The maximum size of a header in bytes; it must be within the first bytes of a file that are read. */
export const headerBytes = 256 * 1024;

/**
 * The maximum number of columns of a file: about twice the columns of an export. Each page of rows examines every column
 * again, so a header with a hundred thousand of them would make an import many times as expensive as its size.
 */
const maxColumns = 1000;

const byteOrderMark = Buffer.from('\ufeff');

/** Longer than any separator line. */
const separatorLineBytes = 1024;

/**
 * What Excel writes and reads as a line before the header. The line may have quotes, and separators up to the last
 * column.
 */
const separatorLine = /^"?sep=(.?)"?[,;]*[ \t]*(\r\n|\n|\r|$)/i;

/**
 * Reads the header of a file from its first bytes. A line `sep=;` before the header defines the separator between
 * columns. Only the header is checked. Errors: invalid_request for a file that cannot be imported as a whole.
 */
export function readHeader(start: Buffer, isEnd: boolean): CsvHeader {
  if (/^(fffe|feff)/.test(start.toString('hex', 0, 2))) {
    throw fileError('wrong_encoding', 'it is UTF-16; save it as “CSV UTF-8”');
  }
  const skipped = start.subarray(0, 3).equals(byteOrderMark) ? byteOrderMark.length : 0;
  const text = start.subarray(skipped);
  const said = readSeparatorLine(text);
  const bytes = text.subarray(said?.bytes ?? 0);
  if (bytes.length === 0) throw fileError('empty', 'it is empty');
  const candidates = (said ? [said.delimiter] : delimiters).map((delimiter) =>
    readLine(bytes, delimiter, isEnd),
  );
  const { delimiter, headers, end, lines } = candidates.reduce((best, other) =>
    countOf(other) > countOf(best) ? other : best,
  );
  if (headers.length > maxColumns) {
    const found = `its header has ${headers.length} columns, and at most ${maxColumns} are read; remove columns`;
    throw fileError('too_many_columns', found);
  }
  readColumns(headers);
  return {
    delimiter,
    headers,
    nextByte: skipped + (said?.bytes ?? 0) + end,
    nextLine: 1 + (said ? 1 : 0) + lines,
  };
}

function readSeparatorLine(bytes: Buffer): { delimiter: Delimiter; bytes: number } | null {
  const [line, separator] = separatorLine.exec(bytes.toString('latin1', 0, separatorLineBytes)) ?? [];
  if (line === undefined) return null;
  const delimiter = delimiters.find((each) => each === separator);
  if (delimiter) return { delimiter, bytes: line.length };
  throw fileError('wrong_separator', 'line 1 names a separator other than , and ;');
}

type Line = { delimiter: Delimiter; headers: string[]; end: number; lines: number };

function readLine(bytes: Buffer, delimiter: Delimiter, isEnd: boolean): Line {
  const { rows, bytes: end, lines } = readRows(bytes, { delimiter, maxRows: 1, isEnd, mustRead: true });
  const { cells, brokenCell } = rows[0]!;
  if (brokenCell !== null) {
    throw fileError('wrong_encoding', 'its header is not UTF-8; save it as “CSV UTF-8”');
  }
  return { delimiter, headers: cells.map(restoreCell), end, lines };
}

/**
 * Ranks a separator by its result: one that gives a column of phone numbers wins, then the one that gives more
 * columns.
 */
function countOf({ headers }: Line): number {
  const hasPhone = headers
    .slice(0, maxColumns)
    .map(readColumn)
    .some((column) => column.kind === 'field' && column.field === 'phoneNumber');
  return headers.length + (hasPhone ? 1_000_000 : 0);
}
