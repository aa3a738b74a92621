import { sql } from 'kysely';
import type { DispatchProgress } from '../../workflows/contract.ts';
import { sqlOf, type Database } from '../database.ts';
import { recordProgress } from '../dispatches/dispatch-progress.ts';

/**
 * Makes the work of `verifySecurityCodes`: writes down which codes of a dispatch have expired, and tells when
 * the next one will. Verifying does not depend on it: it looks at the clock.
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
    return recordProgress(db, 'security-codes', dispatchId, at);
  };
}
