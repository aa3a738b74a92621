import { sql } from 'kysely';
import type { Sql } from '../../database.ts';
import { failBatch } from './fail-batch.ts';

/**
 * Fails a batch after a permanent error, unless the batch has progressed since the activity began. If submitting a
 * chunk is what fails, the batch has progressed: its messages are created and their dispatch processes them, so the
 * batch continues with the next recipients.
 *
 * @param seen the batch as the activity read it
 */
export async function failBatchOnPermanentError(
  db: Sql,
  seen: { id: string; nextPosition: number },
  now: Date,
): Promise<void> {
  const hasNotProgressed = sql`status in ('pending', 'scheduled', 'processing') and next_position = ${seen.nextPosition}`;
  await db
    .transaction()
    .execute((transaction) => failBatch(transaction, seen.id, 'processing_failed', now, hasNotProgressed));
}
