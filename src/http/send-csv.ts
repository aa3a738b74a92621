import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify';
import type { Response } from 'express';
import { neutraliseCell } from './csv-formulas.ts';

/** The error codes of streams whose client disconnected, before the first line or later. No response is needed. */
const goneAway = new Set<unknown>(['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_UNABLE_TO_PIPE']);

/**
 * Sends lines of cells as a CSV attachment (RFC 4180, UTF-8 with the byte order mark that spreadsheets need), as fast
 * as the client reads them. No cell is a formula to a spreadsheet, whichever separator it uses. A failure closes the
 * connection, so that an incomplete file cannot be mistaken for a complete one.
 */
export async function sendCsv(
  response: Response,
  fileName: string,
  lines: AsyncIterable<string[]>,
): Promise<void> {
  response.type('text/csv');
  response.attachment(fileName);
  // The response consists of the headers only; the lines, of which there may be millions, are not generated.
  if (response.req.method === 'HEAD') {
    response.end();
    return;
  }
  const csv = stringify({ bom: true, record_delimiter: '\r\n', quoted_match: /[\r\n]/ });
  try {
    await pipeline(Readable.from(neutralise(lines)), csv, response);
  } catch (error) {
    if (!goneAway.has((error as { code?: unknown }).code)) throw error;
  }
}

async function* neutralise(lines: AsyncIterable<string[]>): AsyncIterable<string[]> {
  for await (const line of lines) yield line.map(neutraliseCell);
}
