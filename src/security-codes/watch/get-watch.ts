import type { Database } from '../../database.ts';
import { toWatchRecord, type SecurityCodeWatchRecord } from './security-code-watch-record.ts';
import { SecurityCodeWatch } from './security-code-watch.entity.ts';

/** Returns when security codes that nobody verifies raise an alarm. */
export async function getWatch(database: Database): Promise<SecurityCodeWatchRecord> {
  return toWatchRecord(await database.em.fork().findOneOrFail(SecurityCodeWatch, { id: 1 }));
}
