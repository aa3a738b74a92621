import { sql } from 'kysely';
import type { Principal } from '../principal.ts';
import type { Database } from '../database.ts';
import { notFound } from '../errors.ts';
import { asTenant } from '../organizations/organization-scope.ts';

/**
 * Deletes a contact and removes it from all phonebooks. Errors: not_found.
 *
 * Each statement sees a state that the locks of the one before have fixed. While the contact is locked, no other
 * transaction adds it to a phonebook. While its phonebooks are locked, no other transaction removes it from one. So
 * the member counts go down by exactly the removed rows. Contacts are locked before phonebooks, as in
 * replace-members.ts, so that the two never deadlock.
 */
export async function deleteContact(database: Database, principal: Principal, id: string): Promise<void> {
  await asTenant(database, principal, async (em) => {
    const db = em.getKysely();
    const { rows } = await sql`
      select from contacts where id = ${id} and organization_id = ${principal.organizationId} for update
    `.execute(db);
    if (rows.length === 0) throw notFound();
    await sql`
      select from phonebooks
      where id in (select phonebook_id from phonebook_members where contact_id = ${id})
      order by id for no key update
    `.execute(db);
    await sql`
      with removed as (
        delete from phonebook_members where contact_id = ${id} returning phonebook_id
      )
      update phonebooks set member_count = member_count - 1 from removed where id = removed.phonebook_id
    `.execute(db);
    await sql`delete from contacts where id = ${id}`.execute(db);
  });
}
