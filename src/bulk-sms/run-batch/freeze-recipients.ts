import { sql, type RawBuilder } from 'kysely';
import type { Database, Sql } from '../../database.ts';
import { asTenants } from '../../organizations/organization-scope.ts';
import { isSuppressed } from '../../suppressions/is-suppressed.ts';
import {
  type MergeableField,
  isMergeableField,
  listMergeFields,
  parseMergeFields,
} from '../../templates/merge-fields.ts';
import { startBlocker } from '../batch-blocker.ts';
import type { BatchBlocker } from '../bulk-batch-status.ts';
import { failBatch } from './fail-batch.ts';

/** A batch that is about to start. */
export interface WaitingBatch {
  id: string;
  organizationId: string;
  text: string;
}

/**
 * Stores the recipients of a batch and starts the batch, in one transaction. From then on contacts, phonebook and
 * suppressions may change, and the recipients stay the same. Recipients who get no text are included, with the
 * reason. A batch that cannot be sent at all fails here; a batch that is no longer waiting stays as it is.
 */
export async function freezeRecipients(database: Database, batch: WaitingBatch, now: Date): Promise<void> {
  await asTenants(database, [batch.organizationId], async (db) => {
    const found = await lockWaiting(db, batch.id);
    if (!found) return;
    const failure = found.failure ?? (await insertRecipients(db, batch, found.contactListId));
    if (typeof failure === 'string') {
      await failBatch(db, batch.id, failure, now);
    } else {
      await sql`
        update bulk_batches set status = 'processing', total = ${failure.total}, started_at = ${now}, wake_at = ${now}
        where id = ${batch.id}
      `.execute(db);
    }
  });
}

/** Locks the row, so that a concurrent cancel or start runs after this transaction. */
async function lockWaiting(
  db: Sql,
  id: string,
): Promise<{ contactListId: string; failure: BatchBlocker | null } | undefined> {
  const { rows } = await sql<{ contactListId: string; failure: BatchBlocker | null }>`
    select contact_list_id as "contactListId", ${startBlocker} as failure
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
      from ${contactsOf(contactListId)}
      returning 1
    )
    select count(*)::int as total from frozen
  `.execute(db);
  const total = rows[0]!.total;
  return total === 0 ? 'no_recipients' : { total };
}

/** The rows of `contacts` that are in a list, after `from`. */
export function contactsOf(contactListId: string): RawBuilder<unknown> {
  return sql`
    phonebook_members join contacts on contacts.id = phonebook_members.contact_id
    where phonebook_members.phonebook_id = ${contactListId}`;
}

/**
 * Why a row of `contacts` that is a recipient gets no text; null if it gets one. Numbers are unique within an
 * organization, so there are no duplicates while that constraint holds. If the constraint is ever loosened, this
 * check still ensures that no number gets a text twice.
 */
export const recipientRefusal = sql<string | null>`case
    when contacts.phone_number !~ '^[+][1-9][0-9]{6,14}$' then 'invalid_recipient'
    when row_number() over (partition by contacts.phone_number order by contacts.id) > 1 then 'duplicate_recipient'
    when ${isSuppressed('contacts.organization_id', 'contacts.phone_number')} then 'recipient_opted_out'
  end`;

/**
 * The fields of a row of `contacts` that the text shows, in the form that `renderMergeFields` reads; null if there
 * are none.
 */
export function usedFields(text: string): RawBuilder<unknown> {
  const names = [...new Set(listMergeFields(parseMergeFields(text)).map(({ name }) => name))];
  if (names.length === 0) return sql`null::jsonb`;
  const prefix = 'customFields.';
  const pairs = names.flatMap((name) => {
    const column = isMergeableField(name) ? sqlColumnOfField[name] : null;
    return column !== null ? [sql`${name}::text, ${sql.ref(column)}`] : [];
  });
  const keys = names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
  if (keys.length > 0) {
    // One array argument: a function takes at most a hundred arguments, and a text can hold more than fifty fields.
    pairs.push(sql`'customFields', (
      select jsonb_object_agg(key, contacts.custom_fields -> key) from unnest(${keys}::text[]) as key
    )`);
  }
  return sql`jsonb_build_object(${sql.join(pairs)})`;
}

const sqlColumnOfField: Record<MergeableField, string> = {
  firstName: 'contacts.first_name',
  lastName: 'contacts.last_name',
  company: 'contacts.company',
};
