import { sql } from 'kysely';
import type { DispatchProgress } from '../../workflows/contract.ts';
import { sqlOf, type Database } from '../database.ts';
import { recordProgress } from '../dispatches/dispatch-progress.ts';
import { codeRows } from './code-rows.ts';

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
    const db = sqlOf(database);
    const at = now();
    await sql`
      update security_codes set status = 'expired', due_at = null
      where dispatch_id = ${dispatchId} and status = 'pending' and expires_at <= ${at}
    `.execute(db);
    return recordProgress(db, codeRows, dispatchId, at);
  };
}
