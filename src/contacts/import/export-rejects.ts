import type { Principal } from '../../principal.ts';
import { tablesOf, type Database } from '../../database.ts';
import { ApiError, notFound } from '../../errors.ts';
import { asTenant } from '../../organizations/organization-scope.ts';
import { ContactImport } from './contact-import.entity.ts';
import { duplicateRow, type ContactImportReject } from './contact-import-reject.entity.ts';
import { rejectsExpireAt, rejectsRetentionDays } from './rejects-expiry.ts';
import { readColumn, rejectColumns } from '../read-column.ts';

const rowsPerPage = 1000;

/**
 * Returns the lines of the CSV file of rejects: the rows as they were uploaded, their lines, and why they were
 * rejected; the header comes first. Rows that were skipped as duplicates are left out: their number was imported from
 * an earlier row, and importing them again would overwrite that row. The file is read page by page. When this
 * resolves, the first page is read or the error is thrown. Errors: not_found, rejects_expired.
 */
export async function exportRejects(
  database: Database,
  principal: Principal,
  importId: string,
): Promise<AsyncIterable<string[]>> {
  const found = await asTenant(database, principal, (em) => em.findOne(ContactImport, { id: importId }));
  if (!found) throw notFound();
  const expireAt = rejectsExpireAt(found);
  if (expireAt !== null && expireAt <= new Date()) {
    throw new ApiError(
      'rejects_expired',
      `The rows that this import did not take were kept until ${expireAt.toISOString()}, ${rejectsRetentionDays} days ` +
        'after its end. Import the file again to get them again.',
    );
  }
  // The columns that an earlier file of rejects added are not repeated.
  const kept = found.columns.map((header) => readColumn(header).kind !== 'ignored');
  const headers = found.columns.filter((_header, index) => kept[index]);

  return (async function* lines() {
    yield [...headers, ...rejectColumns];
    for (let after = 0; ;) {
      const rows = await readRejects(database, principal, importId, after);
      for (const { line, column, message, cells } of rows) {
        const padded = found.columns
          .map((_header, index) => cells[index] ?? '')
          .filter((_cell, index) => kept[index]);
        const reason = column === null ? `The row ${message}.` : `${column} ${message}.`;
        yield [...padded, String(line), reason, ...cells.slice(found.columns.length)];
      }
      if (rows.length < rowsPerPage) return;
      after = rows.at(-1)!.line;
    }
  })();
}

async function readRejects(database: Database, principal: Principal, importId: string, after: number) {
  return asTenant(database, principal, (em) =>
    tablesOf<typeof ContactImportReject>(em)
      .selectFrom('ContactImportReject')
      .select(['line', 'column', 'message', 'cells'])
      .where('import', '=', importId)
      .where('line', '>', after)
      .where('code', '<>', duplicateRow)
      .orderBy('line')
      .limit(rowsPerPage)
      .execute(),
  );
}
