import type { Database } from '../../database.ts';
import { ensureWatch } from './ensure-watch.ts';
import { toWatchRecord, type SecurityCodeWatchRecord } from './security-code-watch-record.ts';
import { SecurityCodeWatch } from './security-code-watch.entity.ts';

/** Returns when security codes that nobody verifies raise an alarm. */
export async function getWatch(database: Database): Promise<SecurityCodeWatchRecord> {
  const em = database.em.fork();
  await ensureWatch(em.getKysely());
  return toWatchRecord(await em.findOneOrFail(SecurityCodeWatch, { id: 1 }));
}
