import { sql, type RawBuilder } from 'kysely';
import type { Sql } from '../../database.ts';
import type { BatchFailure } from '../bulk-batch-status.ts';
import { notifyBatchEnded } from './notify-batch-ended.ts';

/**
 * Ends a batch as failed and notifies its audience, in the caller's transaction. A recipient without a message counts
 * as failed from then on.
 *
 * @param condition on the row of `bulk_batches`: a batch that does not meet it stays as it is
 */
export async function failBatch(
  db: Sql,
  id: string,
  failure: BatchFailure,
  now: Date,
  condition: RawBuilder<unknown> = sql`true`,
): Promise<void> {
  const { rows } = await sql`
    update bulk_batches set status = 'failed', failure = ${failure}, completed_at = ${now}, wake_at = null
    where id = ${id} and ${condition}
    returning 1
  `.execute(db);
  if (rows.length > 0) await notifyBatchEnded(db, id, now);
}
