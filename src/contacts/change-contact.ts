import { LockMode, UniqueConstraintViolationException } from '@mikro-orm/postgresql';
import type { Principal } from '../principal.ts';
import type { Database } from '../database.ts';
import { notFound } from '../errors.ts';
import { asTenant } from '../organizations/organization-scope.ts';
import { mergeContact, type ContactInput } from './contact-fields.ts';
import { toContactRecord, type ContactRecord } from './contact-record.ts';
import { contactRefusal, numberTaken } from './contact-refusal.ts';
import { searchTextOf } from './contact-search.ts';
import { Contact } from './contact.entity.ts';

/**
 * Changes a contact. Fields that are left out stay as they are; null or an empty text clears a field; tags and
 * customFields are replaced as a whole. A new number must be verified again.
 *
 * Errors: not_found, invalid_recipient, invalid_request, already_exists.
 */
export async function changeContact(
  database: Database,
  principal: Principal,
  id: string,
  input: ContactInput,
): Promise<ContactRecord> {
  try {
    return await asTenant(database, principal, async (em) => {
      const contact = await em.findOne(Contact, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
      if (!contact) throw notFound();
      const { phoneNumber: numberBefore } = contact;
      const merged = mergeContact(contact, input);
      if (!merged.ok) throw contactRefusal(merged.problems);
      // Assigned on its own: `assign` would merge the new object into the stored one.
      const { customFields, ...fields } = merged.fields;
      em.assign(contact, fields);
      contact.customFields = customFields;
      contact.searchText = searchTextOf(merged.fields);
      if (fields.phoneNumber !== numberBefore) contact.phoneVerifiedAt = null;
      contact.updatedAt = new Date();
      await em.flush();
      return toContactRecord(contact);
    });
  } catch (error) {
    if (error instanceof UniqueConstraintViolationException) throw numberTaken();
    throw error;
  }
}
