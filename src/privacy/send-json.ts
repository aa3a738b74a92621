import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import type { Response } from 'express';

/** The error codes of streams whose client disconnected. No response is needed. */
const goneAway = new Set<unknown>(['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_UNABLE_TO_PIPE']);

/**
 * Sends the parts of a JSON text as fast as the client reads them. A failure closes the connection, so that an
 * incomplete text cannot be mistaken for a complete one.
 */
export async function sendJson(response: Response, parts: AsyncIterable<string>): Promise<void> {
  response.type('application/json');
  if (response.req.method === 'HEAD') {
    response.end();
    return;
  }
  try {
    await pipeline(Readable.from(parts), response);
  } catch (error) {
    if (!goneAway.has((error as { code?: unknown }).code)) throw error;
  }
}
