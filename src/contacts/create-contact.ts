import { sql } from 'kysely';
import type { Principal } from '../principal.ts';
import type { Database } from '../database.ts';
import { makeTimeOrderedId } from '../time-ordered-id.ts';
import { asTenant } from '../organizations/organization-scope.ts';
import { emptyContact, mergeContact, type ContactFields, type ContactInput } from './contact-fields.ts';
import { toContactRecord, type ContactRecord } from './contact-record.ts';
import { contactRefusal, numberTaken } from './contact-refusal.ts';
import { searchTextOf } from './contact-search.ts';
import { Contact } from './contact.entity.ts';

/**
 * Stores a contact of the caller's organization. Errors: invalid_recipient, invalid_request for other fields,
 * already_exists when the organization has a contact with this number, also when several are created at once.
 */
export async function createContact(
  database: Database,
  principal: Principal,
  input: ContactInput,
): Promise<ContactRecord> {
  const merged = mergeContact(emptyContact, input);
  if (!merged.ok) throw contactRefusal(merged.problems);
  const row = { ...newContact(merged.fields, new Date()), organizationId: principal.organizationId };
  return asTenant(database, principal, async (em) => {
    const { rows } = await sql<object>`
      insert into contacts (
        id, organization_id, phone_number, first_name, last_name, email, company, tags, custom_fields,
        search_text, created_at, updated_at
      ) values (
        ${row.id}, ${row.organizationId}, ${row.phoneNumber}, ${row.firstName}, ${row.lastName}, ${row.email},
        ${row.company}, ${row.tags}::text[], ${JSON.stringify(row.customFields)}::jsonb, ${row.searchText},
        ${row.createdAt}, ${row.createdAt}
      )
      on conflict (organization_id, phone_number) do nothing returning *
    `.execute(em.getKysely());
    if (rows.length === 0) throw numberTaken();
    return toContactRecord(em.map(Contact, rows[0]!));
  });
}

/** The stored form of a new contact; its id contains the time of creation. */
export function newContact(fields: ContactFields, createdAt: Date) {
  return { id: makeTimeOrderedId(createdAt), ...fields, searchText: searchTextOf(fields), createdAt };
}
