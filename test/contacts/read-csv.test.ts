import * as fc from 'fast-check';
import { readRows, type CsvRow } from '../../src/contacts/import/read-csv.ts';

const nastyCell = fc.string({ unit: fc.constantFrom(...Array.from(`",;\r\n a1é😀\0`)), maxLength: 6 });
const nastyRows = fc.array(fc.array(nastyCell, { minLength: 1, maxLength: 4 }), {
  minLength: 1,
  maxLength: 8,
});
const delimiters = fc.constantFrom(',', ';');
const lineEnds = fc.constantFrom('\r\n', '\n', '\r');
const quote = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;

/** A file of these rows, as a program writes it that quotes each cell. */
const files = fc
  .record({ rows: nastyRows, delimiter: delimiters, lineEnd: lineEnds, endsWithLine: fc.boolean() })
  .map(({ rows, delimiter, lineEnd, endsWithLine }) => {
    const lines = rows.map((cells) => cells.map(quote).join(delimiter));
    const bytes = Buffer.from(lines.join(lineEnd) + (endsWithLine ? lineEnd : ''));
    const longest = Math.max(...lines.map((line) => Buffer.byteLength(line + lineEnd)));
    return { rows, delimiter, bytes, longest };
  });

/** Reads a file as an import does: some bytes at a time, each time from the end of the last whole row. */
function readInPages(file: Buffer, delimiter: string, options: { pageBytes: number; maxRows: number }) {
  const rows: CsvRow[] = [];
  let [at, lines, brokenLines] = [0, 0, 0];
  while (at < file.length) {
    const bytes = file.subarray(at, at + options.pageBytes);
    const isEnd = at + bytes.length >= file.length;
    const page = readRows(bytes, { delimiter, maxRows: options.maxRows, isEnd, mustRead: true });
    if (page.bytes === 0) throw new Error(`Nothing is read from byte ${at}.`);
    const before = lines;
    rows.push(...page.rows.map((row) => ({ ...row, line: row.line + before })));
    at += page.bytes;
    lines += page.lines;
    if (page.isBroken) brokenLines += 1;
  }
  return { rows, bytes: at, brokenLines };
}

test('whatever the cells have in them, the rows that were written are read', () => {
  fc.assert(
    fc.property(files, ({ rows, delimiter, bytes }) => {
      const read = readRows(bytes, { delimiter, maxRows: 100, isEnd: true, mustRead: true });
      expect(read.rows.map(({ cells }) => cells)).toEqual(rows);
      expect(read.rows.every(({ brokenCell }) => brokenCell === null)).toBe(true);
      expect({ bytes: read.bytes, isBroken: read.isBroken }).toEqual({
        bytes: bytes.length,
        isBroken: false,
      });
    }),
    { numRuns: 300 },
  );
});

test('wherever the pages of a file end, its rows and their lines are those of the whole', () => {
  const more = fc.nat(40);
  fc.assert(
    fc.property(
      files,
      more,
      fc.integer({ min: 1, max: 5 }),
      ({ delimiter, bytes, longest }, spare, maxRows) => {
        const whole = readInPages(bytes, delimiter, { pageBytes: bytes.length, maxRows: 100 });
        // A row that touches the end of its page is left for the next one: a page has room for a row and one byte.
        const paged = readInPages(bytes, delimiter, { pageBytes: longest + 1 + spare, maxRows });
        expect(paged).toEqual(whole);
      },
    ),
    { numRuns: 300 },
  );
});

test('any bytes are read to their end, in pages of any size', () => {
  const anyBytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    fc
      .string({ unit: fc.constantFrom('"', '"', ',', '\r', '\n', 'a', 'é'), maxLength: 60 })
      .map((text) => Buffer.from(text)),
  );
  fc.assert(
    fc.property(anyBytes, fc.integer({ min: 1, max: 80 }), (bytes, pageBytes) => {
      expect(readInPages(bytes, ',', { pageBytes, maxRows: 3 }).bytes).toBe(bytes.length);
    }),
    { numRuns: 1000 },
  );
});
