import type { DispatchProgress } from '../../workflows/contract.ts';
import { sqlOf, tablesOf, type Database } from '../database.ts';
import { recordProgress } from '../dispatches/dispatch-progress.ts';
import { codeRows } from './code-rows.ts';
import type { SecurityCode } from './security-code.entity.ts';

/**
 * Creates the function that does the work of `verifySecurityCodes`: it records which codes of a dispatch have expired,
 * and returns when the next one expires. Verification does not depend on it, because verification uses the clock.
 */
export function createExpireDueCodes(dependencies: {
  database: Database;
  now: () => Date;
}): (dispatchId: string) => Promise<DispatchProgress> {
  const { database, now } = dependencies;
  return async (dispatchId) => {
    const at = now();
    await tablesOf<typeof SecurityCode>(database.em)
      .updateTable('SecurityCode')
      .set({ status: 'expired', dueAt: null })
      .where('dispatchId', '=', dispatchId)
      .where('status', '=', 'pending')
      .where('expiresAt', '<=', at)
      .execute();
    return recordProgress(sqlOf(database), codeRows, dispatchId, at);
  };
}
