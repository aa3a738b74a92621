import { sql } from 'kysely';
import type { Principal } from '../principal.ts';
import type { Database } from '../database.ts';
import { notFound } from '../errors.ts';
import { asTenant, type ScopedEntityManager } from '../organizations/organization-scope.ts';
import { readBatchRecords, type BulkBatchRecord } from './bulk-batch-record.ts';

/** Returns one of the caller's batches. Errors: not_found. */
export async function getBulkBatch(
  database: Database,
  principal: Principal,
  id: string,
  now: Date,
): Promise<BulkBatchRecord> {
  return asTenant(database, principal, (em) => findBatchRecord(em, principal, id, now));
}

/** The same, within an existing transaction. Errors: not_found. */
export async function findBatchRecord(
  em: ScopedEntityManager,
  principal: Pick<Principal, 'organizationId' | 'visibleEnvironments'>,
  id: string,
  now: Date,
): Promise<BulkBatchRecord> {
  const [record] = await readBatchRecords(em, { condition: isBatch(principal, id), limit: 1 }, now);
  if (!record) throw notFound();
  return record;
}

/** The condition that a row of `bulk_batches` has this id and is visible to the caller. Errors: not_found. */
export function isBatch(
  { organizationId, visibleEnvironments }: Pick<Principal, 'organizationId' | 'visibleEnvironments'>,
  id: string,
) {
  return sql<boolean>`
    bulk_batches.id = ${id} and bulk_batches.organization_id = ${organizationId}
      and bulk_batches.environment = any(${[...visibleEnvironments]}::text[])
  `;
}
