import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { tablesOf } from '../../database.ts';
import type { ScopedEntityManager } from '../../organizations/organization-scope.ts';
import { recordset, type Columns } from '../../recordset.ts';
import {
  emptyContact,
  mergeContact,
  type ContactFields,
  type ContactInput,
  type ContactProblem,
  type CustomFields,
} from '../contact-fields.ts';
import type { Contact } from '../contact.entity.ts';
import { customCell } from '../csv-cells.ts';
import { searchTextOf } from '../contact-search.ts';
import { newContact } from '../create-contact.ts';

export interface ContactToStore {
  phoneNumber: string;
  input: ContactInput;
}

export interface Upserted {
  inserted: number;
  updated: number;
  /** By number, the contacts that would break a rule together with the stored fields. */
  refused: Map<string, ContactProblem>;
}

/**
 * Stores contacts with different numbers: new contacts as a whole; of known contacts, the given fields. New contacts
 * get their ids in the given order. A number that another transaction stores at the same moment is found in a second
 * round, as a known contact.
 *
 * Rows are locked and stored in the order of their numbers, so that concurrent calls never deadlock.
 */
export async function upsertContacts(
  em: ScopedEntityManager,
  organizationId: string,
  contacts: ContactToStore[],
  now: Date,
): Promise<Upserted> {
  const upserted: Upserted = { inserted: 0, updated: 0, refused: new Map() };
  let remaining = contacts;
  while (remaining.length > 0) {
    const known = await lockKnown(em, organizationId, remaining);
    const changes: StoredContact[] = [];
    const additions: ContactToStore[] = [];
    for (const contact of remaining) {
      const before = known.get(contact.phoneNumber);
      if (!before) {
        additions.push(contact);
        continue;
      }
      const change = mergeKnown(before, contact.input);
      if (!change.ok) upserted.refused.set(contact.phoneNumber, change.problem);
      else upserted.updated += 1;
      if (change.ok && change.fields) changes.push({ id: before.id, ...change.fields });
    }
    await updateContacts(em, changes, now);
    const inserted = await insertContacts(em, organizationId, additions, now);
    upserted.inserted += inserted.size;
    remaining = additions.filter(({ phoneNumber }) => !inserted.has(phoneNumber));
  }
  return upserted;
}

type StoredContact = ContactFields & { id: string };

/** The column of each field. */
const sqlColumns: Readonly<Record<keyof ContactFields, string>> = {
  phoneNumber: 'phone_number',
  firstName: 'first_name',
  lastName: 'last_name',
  email: 'email',
  company: 'company',
  tags: 'tags',
  customFields: 'custom_fields',
};

const contactFields = Object.keys(sqlColumns) as (keyof ContactFields)[];

const recordColumns: Required<Columns<StoredContact & { searchText: string }>> = {
  id: 'uuid',
  phoneNumber: 'text',
  firstName: 'text',
  lastName: 'text',
  email: 'text',
  company: 'text',
  tags: 'text[]',
  customFields: 'jsonb',
  searchText: 'text',
};

async function lockKnown(
  em: ScopedEntityManager,
  organizationId: string,
  contacts: ContactToStore[],
): Promise<Map<string, StoredContact>> {
  const numbers = contacts.map(({ phoneNumber }) => phoneNumber);
  const rows = await tablesOf<typeof Contact>(em)
    .selectFrom('Contact')
    .select(['id', ...contactFields])
    .where('organization', '=', organizationId)
    .where('phoneNumber', '=', sql<string>`any(${numbers}::text[])`)
    .orderBy('phoneNumber')
    .forNoKeyUpdate()
    .execute();
  return new Map(rows.map((row) => [row.phoneNumber, row]));
}

/** The changed fields of a known contact, from a row of a file; no fields when nothing changes. */
function mergeKnown(
  { id: _id, ...before }: StoredContact,
  input: ContactInput,
): { ok: true; fields: ContactFields | null } | { ok: false; problem: ContactProblem } {
  const customFields = input.customFields
    ? mergeCustomFields(before.customFields, input.customFields)
    : undefined;
  const merged = mergeContact(before, { ...input, customFields });
  if (!merged.ok) return { ok: false, problem: merged.problems[0]! };
  return { ok: true, fields: isDeepStrictEqual(merged.fields, before) ? null : merged.fields };
}

/** A file contains only text. If a text equals the text form of a stored value, that value stays as it is. */
function mergeCustomFields(known: CustomFields, given: CustomFields): CustomFields {
  const isSame = (name: string, value: unknown) =>
    Object.hasOwn(known, name) && customCell(known[name]) === value;
  return {
    ...known,
    ...Object.fromEntries(Object.entries(given).filter(([name, value]) => !isSame(name, value))),
  };
}

async function updateContacts(em: ScopedEntityManager, contacts: StoredContact[], now: Date): Promise<void> {
  if (contacts.length === 0) return;
  const rows = contacts.map((contact) => ({ ...contact, searchText: searchTextOf(contact) }));
  // The number identifies the contact, so it stays. To set it would lock the row more strongly.
  const changes = contactFields
    .filter((field) => field !== 'phoneNumber')
    .map((field) => sql.raw(`${sqlColumns[field]} = change."${field}"`));
  await sql`
    update contacts set ${sql.join(changes)}, search_text = "searchText", updated_at = ${now}
    from ${recordset(rows, 'change', recordColumns)}
    where contacts.id = change.id
  `.execute(em.getKysely());
}

/** Returns the numbers that were stored; numbers that another transaction stored before are left out. */
async function insertContacts(
  em: ScopedEntityManager,
  organizationId: string,
  contacts: ContactToStore[],
  now: Date,
): Promise<Set<string>> {
  if (contacts.length === 0) return new Set();
  const rows = contacts.map(({ input }) => {
    const merged = mergeContact(emptyContact, input);
    if (!merged.ok) throw new Error('A contact to store was not validated before.');
    return newContact(merged.fields, now);
  });
  const columns = contactFields.map((field) => sql.raw(sqlColumns[field]));
  const values = contactFields.map((field) => sql.raw(`contact."${field}"`));
  const { rows: inserted } = await sql<{ phoneNumber: string }>`
    insert into contacts (id, organization_id, ${sql.join(columns)}, search_text, created_at, updated_at)
    select id, ${organizationId}::uuid, ${sql.join(values)}, "searchText", ${now}, ${now}
    from ${recordset(rows, 'contact', recordColumns)}
    order by "phoneNumber"
    on conflict (organization_id, phone_number) do nothing
    returning phone_number as "phoneNumber"
  `.execute(em.getKysely());
  return new Set(inserted.map(({ phoneNumber }) => phoneNumber));
}
