import type { Principal } from '../principal.ts';
import type { Database } from '../database.ts';
import { toCursorPage, type CursorPage, type CursorQuery } from '../http/cursor.ts';
import { asTenant } from '../organizations/organization-scope.ts';
import { toPhonebookRecord, type PhonebookRecord } from './phonebook-record.ts';
import { Phonebook } from './phonebook.entity.ts';

/** Lists the caller's phonebooks, newest first. */
export async function listPhonebooks(
  database: Database,
  principal: Principal,
  page: CursorQuery,
): Promise<CursorPage<PhonebookRecord>> {
  const { before, limit } = page;
  const phonebooks = await asTenant(database, principal, (em) =>
    em.find(Phonebook, before === null ? {} : { id: { $lt: before } }, {
      orderBy: { id: 'desc' },
      limit: limit + 1,
    }),
  );
  return toCursorPage(phonebooks, page, toPhonebookRecord);
}
