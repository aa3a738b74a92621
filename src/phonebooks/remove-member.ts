import { sql } from 'kysely';
import { validate } from 'uuid';
import type { Principal } from '../principal.ts';
import { tablesOf, type Database } from '../database.ts';
import { notFound } from '../errors.ts';
import { asTenant } from '../organizations/organization-scope.ts';
import type { Phonebook } from './phonebook.entity.ts';

/**
 * Removes a contact from a phonebook. A repetition changes nothing. The row of the phonebook is locked first, as by all
 * changes of members, so that its count is always that of its members.
 *
 * Errors: not_found, for an unknown phonebook.
 */
export async function removeMember(
  database: Database,
  principal: Principal,
  phonebookId: string,
  contactId: string,
): Promise<void> {
  if (!validate(phonebookId) || !validate(contactId)) throw notFound();
  const { organizationId } = principal;
  await asTenant(database, principal, async (em) => {
    const tables = tablesOf<typeof Phonebook>(em);
    const phonebook = await tables
      .selectFrom('Phonebook')
      .select('id')
      .where('id', '=', phonebookId)
      .where('organization', '=', organizationId)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!phonebook) throw notFound();
    await sql`
      with removed as (
        delete from phonebook_members where phonebook_id = ${phonebookId} and contact_id = ${contactId}
        returning contact_id
      )
      update phonebooks set member_count = member_count - 1, updated_at = ${new Date()}
      from removed where phonebooks.id = ${phonebookId}
    `.execute(em.getKysely());
  });
}
