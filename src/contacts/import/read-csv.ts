import { isUtf8 } from 'node:buffer';
import { parse, type Info } from 'csv-parse/sync';

/** A row of a file. */
export interface CsvRow {
  /** Bytes that are not UTF-8 are read as U+FFFD. */
  cells: string[];
  /** The first cell that is not UTF-8; null when all are. */
  brokenCell: number | null;
  /** The line on which the row begins, counted from the first line that was read, which is 0. */
  line: number;
}

export interface CsvRows {
  rows: CsvRow[];
  /** The number of bytes read: whole rows, or up to the end of the broken line. */
  bytes: number;
  lines: number;
  /** Whether the last row is the first line of a row that does not end within the given bytes. */
  isBroken: boolean;
}

const [lineFeed, carriageReturn] = [0x0a, 0x0d];

/**
 * Reads the rows at the beginning of some bytes (RFC 4180; a lone CR or LF also ends a row, and quotes within an
 * unquoted cell are part of it). A row that touches the end of the bytes is not read unless the file ends there.
 *
 * @param options.isEnd whether the file ends with these bytes
 * @param options.mustRead if the bytes contain no whole row, whether to give up the first line instead of reading
 * nothing
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
      // Bytes as characters: one Buffer per cell would take several times the memory.
      encoding: 'latin1',
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      relax_quotes: true,
      max_record_size: 0,
      to: maxRows,
      on_record: (cells: unknown, { bytes: end }: Info) => {
        if (end >= bytes.length && !isEnd) return null;
        read.rows.push({ ...decodeCells(cells as string[]), line: read.lines });
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

function decodeCells(latin1: string[]): Pick<CsvRow, 'cells' | 'brokenCell'> {
  let brokenCell: number | null = null;
  const cells = latin1.map((cell, index) => {
    // oxlint-disable-next-line no-control-regex -- ASCII begins with control characters.
    if (/^[\x00-\x7f]*$/.test(cell)) return cell;
    const bytes = Buffer.from(cell, 'latin1');
    if (brokenCell === null && !isUtf8(bytes)) brokenCell = index;
    return bytes.toString();
  });
  return { cells, brokenCell };
}

function readBrokenLine(bytes: Buffer): CsvRows {
  const ends = [bytes.indexOf(lineFeed), bytes.indexOf(carriageReturn)].filter((index) => index >= 0);
  const end = ends.length > 0 ? Math.min(...ends) : bytes.length;
  const isPair = bytes[end] === carriageReturn && bytes[end + 1] === lineFeed;
  return {
    rows: [{ ...decodeCells([bytes.toString('latin1', 0, end)]), line: 0 }],
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
