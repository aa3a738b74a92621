import { sql } from 'kysely';
import { validate } from 'uuid';
import type { Principal } from '../principal.ts';
import { findUnknownContacts } from '../contacts/find-unknown-contacts.ts';
import { lockContacts } from '../contacts/lock-contacts.ts';
import { tablesOf, type Database, type Sql } from '../database.ts';
import { ApiError, notFound } from '../errors.ts';
import type { Schemas } from '../http/contract/contract-types.ts';
import { asTenant } from '../organizations/organization-scope.ts';
import type { Phonebook } from './phonebook.entity.ts';

/** Sets the members of a phonebook to exactly these contacts. Errors: those of `changeMembers`. */
export async function replaceMembers(
  database: Database,
  principal: Principal,
  phonebookId: string,
  contactIds: string[],
): Promise<Schemas['PhonebookMembersReplaced']> {
  return changeMembers(database, principal, { phonebookId, contactIds, keepsOthers: false });
}

/** Adds contacts to a phonebook, in which its other members stay. Errors: those of `changeMembers`. */
export async function addMembers(
  database: Database,
  principal: Principal,
  phonebookId: string,
  contactIds: string[],
): Promise<Schemas['PhonebookMembersReplaced']> {
  return changeMembers(database, principal, { phonebookId, contactIds, keepsOthers: true });
}

/**
 * Makes contacts members of a phonebook, and removes all others unless they are kept, in one transaction of five
 * statements, whatever their number. Concurrent calls run one after the other, each as a whole.
 *
 * Contacts are locked first, in the order of their ids, then the phonebook. Deleting a contact locks in the same
 * order, so the two never deadlock, and no contact is deleted between being found and being stored.
 *
 * Errors: not_found; unknown_contacts for ids that are not contacts of the organization, and then nothing changes.
 */
async function changeMembers(
  database: Database,
  principal: Principal,
  { phonebookId, contactIds, keepsOthers }: { phonebookId: string; contactIds: string[]; keepsOthers: boolean },
): Promise<Schemas['PhonebookMembersReplaced']> {
  const wanted = new Set(contactIds.map((id) => id.toLowerCase()));
  // An array in PostgreSQL's text format: UUIDs need no quoting, and the driver would quote 100,000 of them one by
  // one.
  const valid = `{${[...wanted].filter((id) => validate(id)).join(',')}}`;
  const { organizationId } = principal;
  return asTenant(database, principal, async (em) => {
    const db = em.getKysely<unknown>();
    const tables = tablesOf<typeof Phonebook>(em);
    const phonebook = tables
      .selectFrom('Phonebook')
      .select('id')
      .where('id', '=', phonebookId)
      .where('organization', '=', organizationId);
    if (!(await phonebook.executeTakeFirst())) throw notFound();
    const found = await lockContacts(db, organizationId, valid);
    if (found < wanted.size) {
      const named = await nameUnknown(db, organizationId, contactIds, valid);
      throw unknownContacts(wanted.size - found, wanted.size, named);
    }
    if (!(await phonebook.forNoKeyUpdate().executeTakeFirst())) throw notFound();
    const { rows } = await sql<{ added: number; removed: number }>`
      with wanted as materialized (
        select unnest(${valid}::uuid[]) as id
      ), removed as (
        delete from phonebook_members member
        where ${!keepsOthers}::boolean and phonebook_id = ${phonebookId}
          and not exists (select from wanted where wanted.id = member.contact_id)
        returning contact_id
      ), added as (
        insert into phonebook_members (phonebook_id, contact_id, organization_id)
        select ${phonebookId}::uuid, id, ${organizationId}::uuid from wanted
        on conflict do nothing returning contact_id
      )
      select (select count(*)::int from added) as added, (select count(*)::int from removed) as removed
    `.execute(db);
    const { added, removed } = rows[0]!;
    // The row is locked, so nobody else changes the members meanwhile.
    const { memberCount } = await tables
      .updateTable('Phonebook')
      .set(({ eb }) => ({ memberCount: eb('memberCount', '+', added - removed), updatedAt: new Date() }))
      .where('id', '=', phonebookId)
      .returning('memberCount')
      .executeTakeFirstOrThrow();
    return { memberCount, added, removed };
  });
}

/** The maximum number of unknown ids that a response names. */
const mostNamed = 50;

/** Returns the first ids that are not contacts of the organization, each with its place in the request. */
async function nameUnknown(
  db: Sql,
  organizationId: string,
  contactIds: string[],
  valid: string,
): Promise<{ index: number; id: string }[]> {
  const unknown = new Set(await findUnknownContacts(db, organizationId, valid, mostNamed));
  const named = new Map<string, { index: number; id: string }>();
  for (const [index, id] of contactIds.entries()) {
    const key = id.toLowerCase();
    if (!named.has(key) && (unknown.has(key) || !validate(key))) named.set(key, { index, id });
    if (named.size === mostNamed) break;
  }
  return [...named.values()];
}

function unknownContacts(
  unknown: number,
  all: number,
  named: readonly { index: number; id: string }[],
): ApiError {
  const first = unknown > named.length ? ` The first ${named.length} are listed here.` : '';
  return new ApiError(
    'unknown_contacts',
    `${unknown} of the ${all} different contactIds are not contacts of the organization. Nothing was changed.${first}`,
    {
      errors: named.map(({ index, id }) => ({
        path: `/body/contactIds/${index}`,
        code: 'unknown_contacts',
        message: `${id} is not a contact of the organization`,
      })),
    },
  );
}
