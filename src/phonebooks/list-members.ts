import { sql } from 'kysely';
import { MAX, NIL } from 'uuid';
import type { Principal } from '../principal.ts';
import { toContactRecord, type ContactRecord } from '../contacts/contact-record.ts';
import { Contact } from '../contacts/contact.entity.ts';
import type { Database } from '../database.ts';
import { notFound } from '../errors.ts';
import { toCursorPage, type CursorPage } from '../http/cursor.ts';
import { asTenant } from '../organizations/organization-scope.ts';
import { Phonebook } from './phonebook.entity.ts';

/** Lists the contacts of a phonebook, newest contact first. Errors: not_found. */
export async function listMembers(
  database: Database,
  principal: Principal,
  phonebookId: string,
  { limit, before }: { limit: number; before: string | null },
): Promise<CursorPage<ContactRecord>> {
  const contacts = await asTenant(database, principal, async (em) => {
    const phonebook = await em.findOne(Phonebook, { id: phonebookId });
    if (!phonebook) throw notFound();
    // Comparisons of rows, which only the primary key can serve; the page is cut before contacts are read.
    const end =
      before === null ? sql`` : sql`and (phonebook_id, contact_id) < (${phonebookId}::uuid, ${before}::uuid)`;
    const { rows } = await sql<object>`
      select contacts.* from (
        select contact_id from phonebook_members
        where (phonebook_id, contact_id) >= (${phonebookId}::uuid, ${NIL}::uuid)
          and (phonebook_id, contact_id) <= (${phonebookId}::uuid, ${MAX}::uuid)
          ${end}
        order by phonebook_id desc, contact_id desc limit ${limit + 1}
      ) page join contacts on contacts.id = page.contact_id
      order by contacts.id desc
    `.execute(em.getKysely());
    return rows.map((row) => em.map(Contact, row));
  });
  return toCursorPage(contacts, limit, toContactRecord);
}
