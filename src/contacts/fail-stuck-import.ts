import { sql } from 'kysely';
import type { Database, Sql } from '../database.ts';
import { asTenants } from '../organizations/organization-scope.ts';

/**
 * Fails an import after a page failed with a permanent error, unless another process has read on since: then the
 * import is not stuck. The rows that were imported before stay.
 *
 * @param nextByte where the page began
 */
export async function failStuckImport(
  database: Database,
  { organizationId, importId }: { organizationId: string; importId: string },
  nextByte: number,
  now: Date,
): Promise<void> {
  await asTenants(database, [organizationId], async (db) => {
    const { rows } = await sql`
      update contact_imports set status = 'failed', completed_at = ${now}, wake_at = null
      where id = ${importId} and status = 'processing' and next_byte = ${nextByte}
      returning 1
    `.execute(db);
    if (rows.length > 0) await deleteFile(db, importId);
  });
}

/** Deletes what an import stores of its file only while it reads the file. */
export async function deleteFile(db: Sql, importId: string): Promise<void> {
  await sql`delete from contact_import_chunks where import_id = ${importId}`.execute(db);
  await sql`delete from contact_import_numbers where import_id = ${importId}`.execute(db);
}
