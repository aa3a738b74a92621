import { sql, type RawBuilder } from 'kysely';

/** The condition that a bulk batch was cancelled. */
export function isBatchCancelled(batchIdColumn: string): RawBuilder<boolean> {
  return sql`exists (
    select from bulk_batches where bulk_batches.id = ${sql.ref(batchIdColumn)} and bulk_batches.status = 'cancelled'
  )`;
}
