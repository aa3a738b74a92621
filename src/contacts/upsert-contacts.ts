import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { Sql } from '../database.ts';
import {
  emptyContact,
  mergeContact,
  type ContactFields,
  type ContactInput,
  type ContactProblem,
  type CustomFields,
} from './contact-fields.ts';
import { customCell } from './csv-cells.ts';
import { searchTextOf } from './contact-search.ts';
import { newContact } from './create-contact.ts';

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
  db: Sql,
  organizationId: string,
  contacts: ContactToStore[],
  now: Date,
): Promise<Upserted> {
  const upserted: Upserted = { inserted: 0, updated: 0, refused: new Map() };
  let remaining = contacts;
  while (remaining.length > 0) {
    const known = await lockKnown(db, organizationId, remaining);
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
    await updateContacts(db, changes, now);
    const inserted = await insertContacts(db, organizationId, additions, now);
    upserted.inserted += inserted.size;
    remaining = additions.filter(({ phoneNumber }) => !inserted.has(phoneNumber));
  }
  return upserted;
}

type StoredContact = ContactFields & { id: string };

async function lockKnown(
  db: Sql,
  organizationId: string,
  contacts: ContactToStore[],
): Promise<Map<string, StoredContact>> {
  const numbers = contacts.map(({ phoneNumber }) => phoneNumber);
  const { rows } = await sql<StoredContact>`
    select id, phone_number as "phoneNumber", first_name as "firstName", last_name as "lastName", email, company,
      to_json(tags) as tags, custom_fields as "customFields"
    from contacts where organization_id = ${organizationId} and phone_number = any(${numbers}::text[])
    order by phone_number for no key update
  `.execute(db);
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

async function updateContacts(db: Sql, contacts: StoredContact[], now: Date): Promise<void> {
  if (contacts.length === 0) return;
  const rows = contacts.map((contact) => ({ ...contact, searchText: searchTextOf(contact) }));
  await sql`
    update contacts set
      first_name = "firstName", last_name = "lastName", email = change.email, company = change.company,
      tags = array(select jsonb_array_elements_text(change.tags)), custom_fields = "customFields",
      search_text = "searchText", updated_at = ${now}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as change(
      "id" uuid, "firstName" text, "lastName" text, "email" text, "company" text, "tags" jsonb, "customFields" jsonb,
      "searchText" text
    )
    where contacts.id = change.id
  `.execute(db);
}

/** Returns the numbers that were stored; numbers that another transaction stored before are left out. */
async function insertContacts(
  db: Sql,
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
  const { rows: inserted } = await sql<{ phoneNumber: string }>`
    insert into contacts (
      id, organization_id, phone_number, first_name, last_name, email, company, tags, custom_fields,
      search_text, created_at, updated_at
    )
    select id, ${organizationId}::uuid, "phoneNumber", "firstName", "lastName", email, company,
      array(select jsonb_array_elements_text(tags)), "customFields", "searchText", ${now}, ${now}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as contact(
      "id" uuid, "phoneNumber" text, "firstName" text, "lastName" text, "email" text, "company" text, "tags" jsonb,
      "customFields" jsonb, "searchText" text
    )
    order by "phoneNumber"
    on conflict (organization_id, phone_number) do nothing
    returning phone_number as "phoneNumber"
  `.execute(db);
  return new Set(inserted.map(({ phoneNumber }) => phoneNumber));
}
