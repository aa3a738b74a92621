import { UniqueConstraintViolationException } from '@mikro-orm/postgresql';
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
  const created = newContact(merged.fields, new Date());
  const contact = await asTenant(database, principal, (em) =>
    Promise.resolve(
      em.create(Contact, {
        organization: principal.organizationId,
        ...created,
        phoneVerifiedAt: null,
        updatedAt: created.createdAt,
      }),
    ),
  ).catch((error: unknown) => {
    if (error instanceof UniqueConstraintViolationException) throw numberTaken();
    throw error;
  });
  return toContactRecord(contact);
}

/** The stored form of a new contact; its id contains the time of creation. */
export function newContact(fields: ContactFields, createdAt: Date) {
  return { id: makeTimeOrderedId(createdAt), ...fields, searchText: searchTextOf(fields), createdAt };
}
