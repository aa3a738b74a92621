import { sql, type RawBuilder } from 'kysely';
import type { Principal } from '../principal.ts';
import { searchNeedles, toE164Spelling } from '../contacts/contact-search.ts';
import type { Database } from '../database.ts';
import type { Inputs, Schemas } from '../http/contract/contract-types.ts';
import { toNumberedPage, type NumberedPage } from '../http/page.ts';
import { containing } from '../http/search-pattern.ts';
import type { MessageStatus } from '../messages/message-status.ts';
import { normalizeRecipient } from '../messages/recipient.ts';
import { asTenant, type ScopedEntityManager } from '../organizations/organization-scope.ts';
import { toIsoTime } from '../stored-rows.ts';
import { findBatchRecord } from './get-bulk-batch.ts';

/**
 * A recipient of a batch with the status of their message. Without a message, the fields that come from it are null.
 */
export type BulkMessageRecord = Schemas['BulkSmsMessage'];

/** Filters for recipients; a filter that is left out excludes nothing. */
export type BulkMessageFilters = Pick<Inputs['listBulkSmsMessages']['query'], 'search' | 'status'>;

/**
 * Lists the recipients of a batch with their messages, in the order of sending. The lists of all statuses together
 * have as many rows as the ledger counts. Errors: not_found.
 */
export async function listBulkMessages(
  database: Database,
  principal: Principal,
  batchId: string,
  filters: BulkMessageFilters,
  page: { page: number; pageSize: number; offset: number },
  now: Date,
): Promise<NumberedPage<BulkMessageRecord>> {
  return asTenant(database, principal, async (em) => {
    const { ledger } = await findBatchRecord(em, principal, batchId, now);
    const isFiltered = filters.search !== undefined || filters.status !== undefined;
    const total = isFiltered ? await countRecipients(em, batchId, filters) : ledger.total;
    // Positions have no gaps, so a page of all recipients is found without counting them.
    const data = isFiltered
      ? await selectRecipients(em, batchId, filters, sql`true`, page.pageSize, page.offset)
      : await selectRecipients(em, batchId, filters, sql`position > ${page.offset}`, page.pageSize, 0);
    return toNumberedPage(data, total, page);
  });
}

/** The next recipients after a position: one page of an export. */
export async function readRecipientsAfter(
  em: ScopedEntityManager,
  batchId: string,
  filters: BulkMessageFilters,
  position: number,
  limit: number,
): Promise<BulkMessageRecord[]> {
  return selectRecipients(em, batchId, filters, sql`position > ${position}`, limit, 0);
}

/** As in the ledger: the status of the batch decides the status of a recipient without a message. */
const status = sql<MessageStatus>`coalesce(messages.status, case
    when bulk_batches.status in ('cancelled', 'failed') then bulk_batches.status else 'queued'
  end)`;

function recipientsOf(batchId: string, filters: BulkMessageFilters): RawBuilder<unknown> {
  const conditions = [sql`bulk_recipients.batch_id = ${batchId}`];
  if (filters.status !== undefined) conditions.push(sql`${status} = ${filters.status}`);
  const needles = searchNeedles(filters.search ?? '');
  if (needles.length > 0) {
    const matches = needles.map((needle) => sql`search_text like ${containing(needle)}`);
    const number = numberIn(filters.search ?? '');
    if (number !== null) matches.push(sql`bulk_recipients.recipient like ${containing(number)}`);
    conditions.push(sql`(${sql.join(matches, sql` or `)})`);
  }
  return sql`
    bulk_recipients join bulk_batches on bulk_batches.id = bulk_recipients.batch_id
    left join messages on messages.id = bulk_recipients.message_id
    ${needles.length > 0 ? sql`left join contacts on contacts.id = bulk_recipients.contact_id` : sql``}
    where ${sql.join(conditions, sql` and `)}
  `;
}

/**
 * The text to search for in numbers, which are in E.164. The contact's own text may have changed or been deleted.
 * Null: the search is not a number.
 */
function numberIn(search: string): string | null {
  const number = normalizeRecipient(search);
  if (number.ok) return number.e164;
  const compact = toE164Spelling(search.replace(/[\s().-]/g, ''));
  const respelled = normalizeRecipient(compact);
  if (respelled.ok) return respelled.e164;
  // The leading 0 is used only in national format.
  return /^\+?\d+$/.test(compact) ? compact.replace(/^0/, '') : null;
}

async function countRecipients(
  em: ScopedEntityManager,
  batchId: string,
  filters: BulkMessageFilters,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${recipientsOf(batchId, filters)}
  `.execute(em.getKysely());
  return rows[0]!.count;
}

async function selectRecipients(
  em: ScopedEntityManager,
  batchId: string,
  filters: BulkMessageFilters,
  range: RawBuilder<unknown>,
  limit: number,
  offset: number,
): Promise<BulkMessageRecord[]> {
  const { rows } = await sql<BulkMessageRecord>`
    select position, message_id as "messageId", contact_id as "contactId", bulk_recipients.recipient as "to",
      ${status} as status, messages.text, segments, error_code as "errorCode", error_message as "errorMessage",
      messages.created_at as "createdAt", accepted_at as "acceptedAt", sent_at as "sentAt",
      delivered_at as "deliveredAt", failed_at as "failedAt"
    from ${recipientsOf(batchId, filters)} and ${range}
    order by position limit ${limit} offset ${offset}
  `.execute(em.getKysely());
  return rows.map((row) => ({
    ...row,
    createdAt: toIsoTime(row.createdAt),
    acceptedAt: toIsoTime(row.acceptedAt),
    sentAt: toIsoTime(row.sentAt),
    deliveredAt: toIsoTime(row.deliveredAt),
    failedAt: toIsoTime(row.failedAt),
  }));
}
