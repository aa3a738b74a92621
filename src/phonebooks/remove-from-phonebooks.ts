import { sql } from 'kysely';
import type { Sql } from '../database.ts';

/**
 * Removes a contact from all phonebooks. The caller has locked the contact, so that no other transaction adds it to a
 * phonebook. While its phonebooks are locked, no other transaction removes it from one. So the member counts go down by
 * exactly the removed rows.
 */
export async function removeFromPhonebooks(db: Sql, contactId: string): Promise<void> {
  await sql`
    select from phonebooks
    where id in (select phonebook_id from phonebook_members where contact_id = ${contactId})
    order by id for no key update
  `.execute(db);
  await sql`
    with removed as (
      delete from phonebook_members where contact_id = ${contactId} returning phonebook_id
    )
    update phonebooks set member_count = member_count - 1 from removed where id = removed.phonebook_id
  `.execute(db);
}
