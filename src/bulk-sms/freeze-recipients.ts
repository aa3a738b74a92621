import { sql, type RawBuilder } from 'kysely';
import type { Database, Sql } from '../database.ts';
import { asTenants } from '../organizations/organization-scope.ts';
import { isSuppressed } from '../suppressions/is-suppressed.ts';
import { listMergeFields, parseMergeFields } from '../templates/merge-fields.ts';
import { startBlocker } from './batch-blocker.ts';
import type { BatchHindrance } from './bulk-batch-status.ts';
import { notifyBatchEnded } from './notify-batch-ended.ts';

/** A batch that is to begin. */
export interface WaitingBatch {
  id: string;
  organizationId: string;
  text: string;
}

/**
 * Writes down to whom a batch goes and lets it begin, in one transaction: from then on contacts, phonebook and
 * suppressions may change without changing who the recipients are. Those that get no message are among them,
 * with the reason. A batch that cannot be sent at all fails here; one that does not wait any more stays as it is.
 */
export async function freezeRecipients(database: Database, batch: WaitingBatch, now: Date): Promise<void> {
  await asTenants(database, [batch.organizationId], async (db) => {
    const found = await lockWaiting(db, batch.id);
    if (!found) return;
    const failure = found.failure ?? (await insertRecipients(db, batch, found.contact_list_id));
    if (typeof failure === 'string') {
      await sql`
        update bulk_batches set status = 'failed', failure = ${failure}, completed_at = ${now}, wake_at = null
        where id = ${batch.id}
      `.execute(db);
      await notifyBatchEnded(db, batch.id, now);
    } else {
      await sql`
        update bulk_batches set status = 'processing', total = ${failure.total}, started_at = ${now}, wake_at = ${now}
        where id = ${batch.id}
      `.execute(db);
    }
  });
}

/** The lock makes whoever cancels or starts the batch meanwhile come after. */
async function lockWaiting(
  db: Sql,
  id: string,
): Promise<{ contact_list_id: string; failure: BatchHindrance | null } | undefined> {
  const { rows } = await sql<{ contact_list_id: string; failure: BatchHindrance | null }>`
    select contact_list_id, ${startBlocker} as failure
    from bulk_batches where id = ${id} and status in ('pending', 'scheduled') for no key update
  `.execute(db);
  return rows[0];
}

async function insertRecipients(
  db: Sql,
  { id, organizationId, text }: WaitingBatch,
  contactListId: string,
): Promise<{ total: number } | 'no_recipients'> {
  const { rows } = await sql<{ total: number }>`
    with frozen as (
      insert into bulk_recipients (batch_id, position, organization_id, contact_id, recipient, fields, refusal)
      select ${id}, row_number() over (order by contacts.id), ${organizationId}, contacts.id, contacts.phone_number,
        ${usedFields(text)}, ${recipientRefusal}
      from phonebook_members join contacts on contacts.id = phonebook_members.contact_id
      where phonebook_members.phonebook_id = ${contactListId}
      returning 1
    )
    select count(*)::int as total from frozen
  `.execute(db);
  const total = rows[0]!.total;
  return total === 0 ? 'no_recipients' : { total };
}

/**
 * Why a row of `contacts` that is a recipient gets no message; null if it does. An organization has a number
 * once, so there is no duplicate as long as that constraint holds; if it is ever loosened, nobody gets a text twice.
 */
export const recipientRefusal = sql<string | null>`case
    when contacts.phone_number !~ '^[+][1-9][0-9]{6,14}$' then 'invalid_recipient'
    when row_number() over (partition by contacts.phone_number order by contacts.id) > 1 then 'duplicate_recipient'
    when ${isSuppressed('contacts.organization_id', 'contacts.phone_number')} then 'recipient_opted_out'
  end`;

/** What of a row of `contacts` the text shows, in the shape that `renderMergeFields` reads; null if nothing. */
export function usedFields(text: string): RawBuilder<unknown> {
  const names = [...new Set(listMergeFields(parseMergeFields(text)).map(({ name }) => name))];
  if (names.length === 0) return sql`null::jsonb`;
  const prefix = 'customFields.';
  const pairs = names.flatMap((name) => {
    const column = contactColumns[name];
    return column ? [sql`${name}::text, ${sql.ref(column)}`] : [];
  });
  const keys = names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
  if (keys.length > 0) {
    // As one array: a function takes a hundred arguments at most, and a text has room for more than fifty fields.
    pairs.push(sql`'customFields', (
      select jsonb_object_agg(key, contacts.custom_fields -> key) from unnest(${keys}::text[]) as key
    )`);
  }
  return sql`jsonb_build_object(${sql.join(pairs)})`;
}

const contactColumns: Record<string, string> = {
  firstName: 'contacts.first_name',
  lastName: 'contacts.last_name',
  company: 'contacts.company',
};
