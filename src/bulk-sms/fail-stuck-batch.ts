import { sql } from 'kysely';
import type { Sql } from '../database.ts';
import type { BatchFailure } from './bulk-batch-status.ts';
import { notifyBatchEnded } from './notify-batch-ended.ts';

const failure: BatchFailure = 'processing_failed';

/**
 * Fails a batch at which an activity failed for a reason that does not pass, unless it has moved on since the activity
 * began: then it is not stuck. So it is when submitting a chunk fails, whose messages are made and carried by their
 * dispatch: the batch goes on with the next recipients. A recipient without a message counts as failed from now on.
 *
 * @param seen the batch as the activity found it
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
