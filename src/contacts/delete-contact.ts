import { LockMode } from '@mikro-orm/postgresql';
import type { Principal } from '../principal.ts';
import type { Database } from '../database.ts';
import { notFound } from '../errors.ts';
import { asTenant } from '../organizations/organization-scope.ts';
import { removeFromPhonebooks } from '../phonebooks/remove-from-phonebooks.ts';
import { Contact } from './contact.entity.ts';

/**
 * Deletes a contact and removes it from all phonebooks. Errors: not_found.
 *
 * Each statement sees a state that the locks of the one before have fixed. Contacts are locked before phonebooks, as in
 * replace-members.ts, so that the two never deadlock.
 */
export async function deleteContact(database: Database, principal: Principal, id: string): Promise<void> {
  await asTenant(database, principal, async (em) => {
    const contact = await em.findOne(Contact, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!contact) throw notFound();
    await removeFromPhonebooks(em.getKysely(), id);
    em.remove(contact);
  });
}
