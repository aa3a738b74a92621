/** What commands write. Results go to standard output; notes, progress and errors to standard error. */
export interface Output {
  readonly isJson: boolean;
  /** Whether standard error is a terminal, on which a line can be rewritten. */
  readonly isInteractive: boolean;
  /** Writes the result: the document as one line of JSON, or the lines for people. */
  result: (document: unknown, lines: () => string[]) => void;
  /** Writes one of many results as soon as it is known. */
  event: (document: unknown, line: () => string) => void;
  /** Tells people something beside the result. With --json it is left out. */
  note: (line: string) => void;
  /** Writes a line to standard error, in every mode. */
  error: (line: string) => void;
  /** Rewrites the last line of a terminal. */
  rewrite: (line: string) => void;
  /** Colours a text, if results go to a terminal. */
  paint: (colour: Colour, text: string) => string;
}

const colours = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const;

export type Colour = keyof typeof colours;

/** Creates the output of a command. */
export function createOutput(
  { stdout, stderr }: Pick<NodeJS.Process, 'stdout' | 'stderr'>,
  isJson: boolean,
  environment: NodeJS.ProcessEnv,
): Output {
  const hasColours = stdout.isTTY && !environment['NO_COLOR'] && environment['TERM'] !== 'dumb' && !isJson;
  const isInteractive = stderr.isTTY && environment['TERM'] !== 'dumb';
  const write = (stream: NodeJS.WriteStream, line: string): void => void stream.write(`${printable(line)}\n`);
  const writeJson = (document: unknown): void => void stdout.write(`${jsonLine(document)}\n`);
  return {
    isJson,
    isInteractive,
    result: (document, lines) => {
      if (isJson) writeJson(document);
      else lines().forEach((line) => write(stdout, line));
    },
    event: (document, line) => (isJson ? writeJson(document) : write(stdout, line())),
    note: (line) => {
      if (!isJson) write(stderr, line);
    },
    error: (line) => write(stderr, line),
    rewrite: (line) => void stderr.write(`\r\u001B[2K${printable(line)}`),
    paint: (colour, text) => (hasColours ? `\u001B[${colours[colour]}m${text}\u001B[0m` : text),
  };
}

/** JSON on one line, in which characters that could command a terminal are escaped. */
export function jsonLine(document: unknown): string {
  return JSON.stringify(document).replace(
    /[\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/**
 * Takes control characters out of a line, because a text that somebody sent could otherwise command the terminal of
 * the person who reads it. The codes of `paint` stay.
 */
function printable(line: string): string {
  return line.replace(
    // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
    /(\u001B\[(?:[0-2]|3[1-6])m)|[\u0000-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g,
    (_, colour: string | undefined) => colour ?? '\uFFFD',
  );
}

/** Aligns rows in columns, two spaces apart. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, index) => (widths[index] = Math.max(widths[index] ?? 0, widthOf(cell))));
  }
  return rows.map((row) =>
    row
      .map((cell, index) => cell + ' '.repeat(widths[index]! - widthOf(cell)))
      .join('  ')
      .trimEnd(),
  );
}

/** The width without the codes of colours. */
function widthOf(cell: string): number {
  // oxlint-disable-next-line no-control-regex -- as above
  return cell.replace(/\u001B\[\d+m/g, '').length;
}
