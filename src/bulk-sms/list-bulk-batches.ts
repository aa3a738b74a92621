import { sql } from 'kysely';
import { MAX } from 'uuid';
import type { Principal } from '../principal.ts';
import type { Database } from '../database.ts';
import { toCursorPage, type CursorPage, type CursorQuery } from '../http/cursor.ts';
import { asTenant } from '../organizations/organization-scope.ts';
import { readBatchRecords, type BulkBatchRecord } from './bulk-batch-record.ts';

/** Lists the caller's batches, newest first. */
export async function listBulkBatches(
  database: Database,
  principal: Principal,
  page: CursorQuery,
  now: Date,
): Promise<CursorPage<BulkBatchRecord>> {
  const condition = sql`
    organization_id = ${principal.organizationId} and environment = any(${[...principal.visibleEnvironments]}::text[])
      and id < ${page.before ?? MAX}
  `;
  const records = await asTenant(database, principal, (em) =>
    readBatchRecords(em, { condition, limit: page.limit + 1 }, now),
  );
  return toCursorPage(records, page, (record) => record);
}
