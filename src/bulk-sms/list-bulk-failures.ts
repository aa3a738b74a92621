import { sql } from 'kysely';
import type { Principal } from '../principal.ts';
import type { Database } from '../database.ts';
import type { Schemas } from '../http/contract/contract-types.ts';
import { asTenant } from '../organizations/organization-scope.ts';
import { findBatchRecord } from './get-bulk-batch.ts';

/**
 * Counts the failed recipients of a batch by error code, most frequent first. The codes come from the index that the
 * ledger is counted by. Recipients without a message fail together with their batch and have no code. Errors: not_found.
 */
export async function listBulkFailures(
  database: Database,
  principal: Principal,
  batchId: string,
  now: Date,
): Promise<Schemas['BulkSmsFailures']> {
  return asTenant(database, principal, async (em) => {
    const { id, ledger } = await findBatchRecord(em, principal, batchId, now);
    const { rows } = await sql<{ errorCode: string | null; recipients: number }>`
      select error_code as "errorCode", count(*)::int as recipients from messages
      where bulk_batch_id = ${id} and status = 'failed'
      group by error_code order by recipients desc, error_code
    `.execute(em.getKysely());
    const withMessage = rows.reduce((sum, { recipients }) => sum + recipients, 0);
    // A message may fail between the two statements: the sum is taken as the ledger then.
    const withoutMessage = Math.max(0, ledger.failed - withMessage);
    return {
      failed: withMessage + withoutMessage,
      errorCodes: [...rows, ...(withoutMessage > 0 ? [{ errorCode: null, recipients: withoutMessage }] : [])],
    };
  });
}
