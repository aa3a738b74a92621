/** Counts the rows of a CSV file (RFC 4180) without its header. Line breaks in quotes end no row; empty lines count not. */
export function countCsvRows(bytes: Uint8Array): number {
  const [quote, lineFeed, carriageReturn] = [0x22, 0x0a, 0x0d];
  let rows = 0;
  let isQuoted = false;
  let isEmpty = true;
  for (const byte of bytes) {
    // Two quotes inside quotes are one, and change nothing here either.
    if (byte === quote) isQuoted = !isQuoted;
    if (byte === lineFeed && !isQuoted) {
      if (!isEmpty) rows += 1;
      isEmpty = true;
    } else if (byte !== carriageReturn) {
      isEmpty = false;
    }
  }
  return Math.max(0, rows + (isEmpty ? 0 : 1) - 1);
}
