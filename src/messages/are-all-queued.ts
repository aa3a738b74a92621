import { tablesOf, type Database } from '../database.ts';
import type { Message } from './message.entity.ts';

/** Whether the gateway has neither accepted nor rejected any message of a dispatch. */
export async function areAllQueued(database: Database, dispatchId: string): Promise<boolean> {
  const submitted = await tablesOf<typeof Message>(database.em)
    .selectFrom('Message')
    .select('id')
    .where('dispatchId', '=', dispatchId)
    .where('status', '<>', 'queued')
    .limit(1)
    .execute();
  return submitted.length === 0;
}
