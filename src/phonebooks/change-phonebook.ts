import { LockMode } from '@mikro-orm/postgresql';
import type { Principal } from '../principal.ts';
import type { Database } from '../database.ts';
import { notFound } from '../errors.ts';
import type { Schemas } from '../http/contract/contract-types.ts';
import { asTenant, type ScopedEntityManager } from '../organizations/organization-scope.ts';
import { toPhonebookRecord, type PhonebookRecord } from './phonebook-record.ts';
import { Phonebook } from './phonebook.entity.ts';

/** Renames a phonebook. A description that is left out stays; null clears it. Errors: not_found. */
export async function changePhonebook(
  database: Database,
  principal: Principal,
  id: string,
  { name, description }: Schemas['PhonebookChange'],
): Promise<PhonebookRecord> {
  return asTenant(database, principal, async (em) => {
    const phonebook = await lockPhonebook(em, id);
    phonebook.name = name;
    if (description !== undefined) phonebook.description = description;
    phonebook.updatedAt = new Date();
    return toPhonebookRecord(phonebook);
  });
}

/** Deletes a phonebook; its contacts stay. Errors: not_found. */
export async function deletePhonebook(database: Database, principal: Principal, id: string): Promise<void> {
  await asTenant(database, principal, async (em) => {
    em.remove(await lockPhonebook(em, id));
  });
}

async function lockPhonebook(em: ScopedEntityManager, id: string): Promise<Phonebook> {
  const phonebook = await em.findOne(Phonebook, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!phonebook) throw notFound();
  return phonebook;
}
