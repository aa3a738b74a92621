import type { Principal } from '../principal.ts';
import type { Database } from '../database.ts';
import { toCursorPage, type CursorPage } from '../http/cursor.ts';
import { asTenant } from '../organizations/organization-scope.ts';
import { toPhonebookRecord, type PhonebookRecord } from './phonebook-record.ts';
import { Phonebook } from './phonebook.entity.ts';

/** Lists the caller's phonebooks, newest first. */
export async function listPhonebooks(
  database: Database,
  principal: Principal,
  { limit, before }: { limit: number; before: string | null },
): Promise<CursorPage<PhonebookRecord>> {
  const phonebooks = await asTenant(database, principal, (em) =>
    em.find(Phonebook, before === null ? {} : { id: { $lt: before } }, {
      orderBy: { id: 'desc' },
      limit: limit + 1,
    }),
  );
  return toCursorPage(phonebooks, limit, toPhonebookRecord);
}
