import { sql } from 'kysely';
import { sqlOf, type Database } from '../database.ts';
import { updateStatuses } from '../messages/update-statuses.ts';

/** The maximum number of messages that one transaction cancels. */
const cancelledAtOnce = 500;

/**
 * Cancels the messages of a batch that were created but not submitted. A message stays if its submission is in
 * progress, or if the outcome of its submission is unknown: the outcome decides its status.
 *
 * @returns whether messages of this kind are left; the caller checks them again later
 */
export async function cancelQueuedMessages(
  dependencies: { database: Database; completeMessageDispatches: (dispatchIds: string[]) => Promise<void> },
  batchId: string,
  now: Date,
): Promise<{ isLeft: boolean }> {
  const { database, completeMessageDispatches } = dependencies;
  const db = sqlOf(database);
  for (;;) {
    const { rows } = await sql<{ id: string; isDoubtful: boolean }>`
      select id, outcome_unknown as "isDoubtful" from messages
      where bulk_batch_id = ${batchId} and status = 'queued'
      order by outcome_unknown limit ${cancelledAtOnce}
    `.execute(db);
    const free = rows.filter(({ isDoubtful }) => !isDoubtful);
    if (free.length === 0) return { isLeft: rows.length > 0 };
    const { dispatchesToComplete } = await updateStatuses(
      database,
      free.map(({ id }) => ({
        messageId: id,
        at: now,
        transition: { kind: 'cancelled' },
        event: { kind: 'cancelled', details: {} },
      })),
    );
    await completeMessageDispatches(dispatchesToComplete);
  }
}
