import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify';
import type { Response } from 'express';
import { neutraliseCell } from './csv-formulas.ts';

/** How streams say that who asked went away, before the first line or in the middle: he needs no answer. */
const goneAway = new Set<unknown>(['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_UNABLE_TO_PIPE']);

/**
 * Sends lines of cells as a CSV file to be saved (RFC 4180, UTF-8 with the byte order mark that spreadsheets ask
 * for), as fast as they are taken off. No cell is a formula to a spreadsheet, however it separates them. What fails on the way breaks the connection off, so that half a file is
 * never taken for a whole one.
 */
export async function sendCsv(
  response: Response,
  fileName: string,
  lines: AsyncIterable<string[]>,
): Promise<void> {
  response.type('text/csv');
  response.attachment(fileName);
  // The headers are the answer; the lines, which may be millions, are not made.
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
