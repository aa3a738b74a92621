import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify';
import type { Response } from 'express';

/**
 * Sends lines of cells as a CSV file to be saved (RFC 4180, UTF-8 with the byte order mark that spreadsheets ask
 * for), as fast as they are taken off. What fails on the way breaks the connection off, so that half a file is
 * never taken for a whole one.
 */
export async function sendCsv(
  response: Response,
  fileName: string,
  lines: AsyncIterable<string[]>,
): Promise<void> {
  response.type('text/csv');
  response.attachment(fileName);
  const csv = stringify({ bom: true, record_delimiter: '\r\n', quoted_match: /[\r\n]/ });
  try {
    await pipeline(Readable.from(lines), csv, response);
  } catch (error) {
    // One who went away needs no answer.
    if ((error as { code?: unknown }).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}
