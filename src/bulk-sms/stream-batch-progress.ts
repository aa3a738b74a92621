import type { Response } from 'express';
import { isFinalBatch } from './bulk-batch-status.ts';
import type { BulkBatchRecord } from './bulk-batch-record.ts';

/** How often the batch is looked at, and how long the line may be silent before proxies take it for dead. */
const [intervalMs, silenceMs] = [1000, 15_000];

/**
 * Streams a batch's record as server-sent events (WHATWG HTML, 9.2): `progress` at once, then each second in which it
 * changed, until the batch is final. A comment is sent every 15 seconds. Each second it is looked whether the
 * caller still may: a key that was revoked meanwhile learns no more within one (contract section 2).
 *
 * @param read throws when the batch cannot be read, which ends the stream; the client connects anew
 * @param isAllowed whether the caller would still be let in
 */
export async function streamBatchProgress(
  response: Response,
  first: BulkBatchRecord,
  read: () => Promise<BulkBatchRecord>,
  isAllowed: () => Promise<boolean>,
): Promise<void> {
  response.set({
    'Content-Type': 'text/event-stream',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
  });
  response.flushHeaders();
  let shown = '';
  let record = first;
  let commentedAt = performance.now();
  while (!response.closed && !response.destroyed) {
    const text = JSON.stringify(record);
    if (text !== shown) response.write(`event: progress\ndata: ${text}\n\n`);
    shown = text;
    if (isFinalBatch(record.status)) break;
    await pass(response, intervalMs);
    if (performance.now() - commentedAt >= silenceMs) {
      commentedAt = performance.now();
      response.write(': still here\n\n');
    }
    try {
      if (!(await isAllowed())) break;
      record = await read();
    } catch {
      break;
    }
  }
  response.end();
}

/** Lets time pass, or the caller go away. */
function pass(response: Response, timeMs: number): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      response.off('close', done);
      resolve();
    };
    const timer = setTimeout(done, timeMs);
    response.on('close', done);
  });
}
