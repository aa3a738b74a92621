import { sql } from 'kysely';
import type { Sql } from '../database.ts';
import type { BatchFailure } from './bulk-batch-status.ts';
import { notifyBatchEnded } from './notify-batch-ended.ts';

const failure: BatchFailure = 'processing_failed';

/**
 * Fails a batch after an activity failed with a permanent error, unless the batch has progressed since the activity
 * began: then it is not stuck. This happens when submitting a chunk fails: its messages are created and their
 * dispatch processes them, so the batch continues with the next recipients. In a failed batch, a recipient without a
 * message counts as failed from now on.
 *
 * @param seen the batch as the activity read it
 */
export async function failStuckBatch(
  db: Sql,
  seen: { id: string; nextPosition: number },
  now: Date,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const { rows } = await sql`
      update bulk_batches set status = 'failed', failure = ${failure}, completed_at = ${now}, wake_at = null
      where id = ${seen.id} and status in ('pending', 'scheduled', 'processing')
        and next_position = ${seen.nextPosition}
      returning 1
    `.execute(transaction);
    if (rows.length > 0) await notifyBatchEnded(transaction, seen.id, now);
  });
}
