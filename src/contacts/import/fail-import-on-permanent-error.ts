import { tablesOf, type Database } from '../../database.ts';
import { asTenant, type ScopedEntityManager } from '../../organizations/organization-scope.ts';
import type { ContactImportChunk } from './contact-import-chunk.entity.ts';
import type { ContactImportNumber } from './contact-import-number.entity.ts';
import type { ContactImport } from './contact-import.entity.ts';

/**
 * Fails an import after a permanent error of a page, unless another process has read on since. The rows that were
 * imported before stay.
 *
 * @param nextByte where the page began
 */
export async function failImportOnPermanentError(
  database: Database,
  { organizationId, importId }: { organizationId: string; importId: string },
  nextByte: number,
  now: Date,
): Promise<void> {
  await asTenant(database, { organizationId, visibleEnvironments: [] }, async (em) => {
    const { numUpdatedRows } = await tablesOf<typeof ContactImport>(em)
      .updateTable('ContactImport')
      .set({ status: 'failed', completedAt: now, wakeAt: null })
      .where('id', '=', importId)
      .where('status', '=', 'processing')
      .where('nextByte', '=', nextByte)
      .executeTakeFirst();
    if (numUpdatedRows > 0n) await deleteFile(em, importId);
  });
}

/** Deletes what an import stores of its file only while it reads the file. */
export async function deleteFile(em: ScopedEntityManager, importId: string): Promise<void> {
  const tables = tablesOf<typeof ContactImportChunk | typeof ContactImportNumber>(em);
  await tables.deleteFrom('ContactImportChunk').where('import', '=', importId).execute();
  await tables.deleteFrom('ContactImportNumber').where('importId', '=', importId).execute();
}
