import { parse, type Info } from 'csv-parse/sync';

/** A row as it stands in a file: its cells are bytes, for whether they are UTF-8 is yet to be asked. */
export interface CsvRow {
  cells: Buffer[];
  /** The line on which it begins, counted from the first of what was read, which is 0. */
  line: number;
}

export interface CsvRows {
  rows: CsvRow[];
  /** How far was read: whole rows, or up to the end of the line that is broken. */
  bytes: number;
  lines: number;
  /** The last row is the first line of one that does not end within what was given. */
  isBroken: boolean;
}

const [lineFeed, carriageReturn] = [0x0a, 0x0d];

/**
 * Reads the rows at the beginning of some bytes (RFC 4180; a lone CR or LF ends a row too, and quotes within an
 * unquoted cell are part of it). A row that touches the end of the bytes is not read unless the file ends there.
 *
 * @param options.isEnd whether the file ends with these bytes
 * @param options.mustRead with no whole row among them, whether to give up the first line instead of reading nothing
 */
export function readRows(
  bytes: Buffer,
  options: { delimiter: string; maxRows: number; isEnd: boolean; mustRead: boolean },
): CsvRows {
  const { delimiter, maxRows, isEnd, mustRead } = options;
  const read: CsvRows = { rows: [], bytes: 0, lines: 0, isBroken: false };
  try {
    parse(bytes, {
      delimiter,
      encoding: null,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      relax_quotes: true,
      max_record_size: 0,
      to: maxRows,
      on_record: (cells: unknown, { bytes: end }: Info) => {
        if (end >= bytes.length && !isEnd) return null;
        read.rows.push({ cells: cells as Buffer[], line: read.lines });
        read.lines += countLineEnds(bytes, read.bytes, end);
        read.bytes = end;
        return null;
      },
    });
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'CSV_QUOTE_NOT_CLOSED') throw error;
  }
  if (read.rows.length === 0 && bytes.length > 0 && (mustRead || isEnd)) return readBrokenLine(bytes);
  return read;
}

function readBrokenLine(bytes: Buffer): CsvRows {
  const ends = [bytes.indexOf(lineFeed), bytes.indexOf(carriageReturn)].filter((index) => index >= 0);
  const end = ends.length > 0 ? Math.min(...ends) : bytes.length;
  const isPair = bytes[end] === carriageReturn && bytes[end + 1] === lineFeed;
  return {
    rows: [{ cells: [bytes.subarray(0, end)], line: 0 }],
    bytes: Math.min(end + (isPair ? 2 : 1), bytes.length),
    lines: 1,
    isBroken: true,
  };
}

function countLineEnds(bytes: Buffer, from: number, to: number): number {
  let count = 0;
  for (let index = from; index < to; index += 1) {
    const byte = bytes[index];
    if (byte === lineFeed || (byte === carriageReturn && bytes[index + 1] !== lineFeed)) count += 1;
  }
  return count;
}
