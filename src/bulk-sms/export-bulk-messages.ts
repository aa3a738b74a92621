import { recordAuditEvent } from '../audit/record-audit-event.ts';
import { givenFilterNames } from '../audit/given-filter-names.ts';
import type { Principal } from '../principal.ts';
import type { Database } from '../database.ts';
import { asTenant } from '../organizations/organization-scope.ts';
import { findBatchRecord } from './get-bulk-batch.ts';
import {
  readRecipientsAfter,
  type BulkMessageFilters,
  type BulkMessageRecord,
} from './list-bulk-messages.ts';

const rowsPerPage = 1000;

const columns = [
  ...([
    'position',
    'messageId',
    'contactId',
    'to',
    'status',
    'text',
    'segments',
    'errorCode',
    'errorMessage',
  ] as const),
  ...(['createdAt', 'acceptedAt', 'sentAt', 'deliveredAt', 'failedAt'] as const),
] satisfies (keyof BulkMessageRecord)[];

/**
 * Returns the lines of the CSV file of a batch's recipients, in the order of sending; the header comes first.
 * Recipients are read page by page, so memory and locks are limited to one page. The audit log records the export
 * before the first line. Errors: not_found.
 */
export async function exportBulkMessages(
  database: Database,
  principal: Principal,
  batchId: string,
  filters: BulkMessageFilters,
  now: Date,
): Promise<AsyncIterable<string[]>> {
  await asTenant(database, principal, async (em) => {
    const { id } = await findBatchRecord(em, principal, batchId, now);
    recordAuditEvent(em, principal, {
      action: 'bulk_messages.exported',
      subjectId: id,
      details: { filters: givenFilterNames(filters) },
    });
  });
  return (async function* lines() {
    yield [...columns];
    for (let after = 0; ;) {
      const rows: BulkMessageRecord[] = await asTenant(database, principal, (em) =>
        readRecipientsAfter(em, batchId, filters, after, rowsPerPage),
      );
      for (const row of rows) yield columns.map((column) => String(row[column] ?? ''));
      if (rows.length < rowsPerPage) return;
      after = rows.at(-1)!.position;
    }
  })();
}
