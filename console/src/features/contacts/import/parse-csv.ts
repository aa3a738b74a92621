/** A CSV file as a table of texts (RFC 4180), and where its header is. */
export interface CsvFile {
  headers: string[];
  rows: string[][];
  delimiter: string;
  /** Where the header begins and ends in the text, without the line break. */
  headerStart: number;
  headerEnd: number;
}

const separatorLine = /^\ufeff?"?sep=([,;])"?[,;]*[ \t]*(?:\r\n|\n|\r|$)/i;

/**
 * Parses a CSV file as the import does: columns are separated by `,` or `;`, whichever the header has more of, or by
 * what a line `sep=` before the header names. Returns null for a file without a header.
 */
export function parseCsv(text: string): CsvFile | null {
  const separated = separatorLine.exec(text);
  const headerStart = separated?.[0].length ?? (text.startsWith('\ufeff') ? 1 : 0);
  const delimiters = separated ? [separated[1]!] : [',', ';'];
  const [best] = delimiters
    .map((delimiter) => ({ delimiter, ...readRow(text, headerStart, delimiter) }))
    .toSorted((one, other) => other.cells.length - one.cells.length);
  if (best === undefined || best.cells.every((cell) => cell.trim() === '')) return null;
  const { delimiter, cells: headers, end: headerEnd } = best;
  const rows: string[][] = [];
  for (let start = best.next; start < text.length;) {
    const { cells, next } = readRow(text, start, delimiter);
    if (cells.length > 1 || cells[0] !== '') rows.push(cells);
    start = next;
  }
  return { headers, rows, delimiter, headerStart, headerEnd };
}

/** Reads the row that begins at `start`. `end` is where it ends, and `next` where the next row begins. */
function readRow(
  text: string,
  start: number,
  delimiter: string,
): { cells: string[]; end: number; next: number } {
  const cells: string[] = [];
  let position = start;
  for (;;) {
    const cell = text[position] === '"' ? readQuoted(text, position) : readPlain(text, position, delimiter);
    cells.push(cell.value);
    position = cell.end;
    if (text[position] !== delimiter) break;
    position += 1;
  }
  const lineBreak = text.startsWith('\r\n', position) ? 2 : 1;
  return { cells, end: position, next: position + lineBreak };
}

function readPlain(text: string, start: number, delimiter: string): { value: string; end: number } {
  let end = start;
  while (end < text.length && text[end] !== delimiter && text[end] !== '\n' && text[end] !== '\r') end += 1;
  return { value: text.slice(start, end), end };
}

function readQuoted(text: string, start: number): { value: string; end: number } {
  let end = start + 1;
  while (end < text.length && (text[end] !== '"' || text[end + 1] === '"')) end += text[end] === '"' ? 2 : 1;
  return { value: text.slice(start + 1, end).replaceAll('""', '"'), end: end + 1 };
}
