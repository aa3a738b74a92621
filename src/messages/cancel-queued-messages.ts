import { tablesOf, type Database } from '../database.ts';
import type { Message } from './message.entity.ts';
import { updateStatuses, type StatusUpdate } from './update-statuses.ts';

/** The maximum number of messages that one transaction cancels. */
const cancelledAtOnce = 500;

/**
 * Cancels the messages of a bulk batch that were created but not submitted. A message stays if its submission is in
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
  for (;;) {
    const messages = await tablesOf<typeof Message>(database.em)
      .selectFrom('Message')
      .select(['id', 'outcomeUnknown'])
      .where('bulkBatchId', '=', batchId)
      .where('status', '=', 'queued')
      .orderBy('outcomeUnknown')
      .limit(cancelledAtOnce)
      .execute();
    const free = messages.filter(({ outcomeUnknown }) => !outcomeUnknown);
    if (free.length === 0) return { isLeft: messages.length > 0 };
    const { dispatchesToComplete } = await updateStatuses(
      database,
      free.map(({ id }) => toCancelled(id, now)),
    );
    await completeMessageDispatches(dispatchesToComplete);
  }
}

export function toCancelled(messageId: string, at: Date): StatusUpdate {
  return { messageId, at, transition: { kind: 'cancelled' }, event: { kind: 'cancelled', details: {} } };
}
