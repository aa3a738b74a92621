import { setTimeout } from 'node:timers/promises';
import type { EventStream } from '../streams/event-streams.ts';
import { isFinalBatch } from './bulk-batch-status.ts';
import type { BulkBatchRecord } from './bulk-batch-record.ts';

/** How often the batch is read. */
const intervalMs = 1000;

/**
 * Streams a batch's record: `progress` at once, then every second in which it changed, until the batch is final.
 *
 * @param read throws when the batch cannot be read, which ends the stream; the client reconnects
 */
export async function streamBatchProgress(
  stream: EventStream,
  first: BulkBatchRecord,
  read: () => Promise<BulkBatchRecord>,
): Promise<void> {
  const { closed } = stream;
  let shown = '';
  let record = first;
  while (!closed.aborted) {
    const text = JSON.stringify(record);
    if (text !== shown) stream.send('progress', record);
    shown = text;
    if (isFinalBatch(record.status)) break;
    await setTimeout(intervalMs, undefined, { signal: closed }).catch(() => undefined);
    if (closed.aborted) break;
    try {
      record = await read();
    } catch {
      break;
    }
  }
  stream.end();
}
