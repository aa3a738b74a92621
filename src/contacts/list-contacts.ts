import { sql } from 'kysely';
import type { Principal } from '../principal.ts';
import type { Database } from '../database.ts';
import { toCursorPage, type CursorPage, type CursorQuery } from '../http/cursor.ts';
import { asTenant } from '../organizations/organization-scope.ts';
import { idRangeOf, matchContacts, type ContactFilters } from './contact-filters.ts';
import { toContactRecord, type ContactRecord } from './contact-record.ts';
import { Contact } from './contact.entity.ts';

/** Lists the caller's contacts, newest first. */
export async function listContacts(
  database: Database,
  principal: Principal,
  filters: ContactFilters,
  page: CursorQuery,
): Promise<CursorPage<ContactRecord>> {
  const { organizationId } = principal;
  const [first, end] = idRangeOf(filters);
  const before = page.before?.toLowerCase() ?? end;
  const range = [first, before < end ? before : end] as const;
  const contacts = await asTenant(database, principal, async (em) => {
    const { rows } = await sql<object>`
      select * from contacts where ${matchContacts(organizationId, filters, range)}
      order by organization_id desc, id desc limit ${page.limit + 1}
    `.execute(em.getKysely());
    return rows.map((row) => em.map(Contact, row));
  });
  return toCursorPage(contacts, page, toContactRecord);
}
