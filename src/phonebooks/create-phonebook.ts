import { v7 as uuidv7 } from 'uuid';
import type { Principal } from '../principal.ts';
import type { Database } from '../database.ts';
import type { Schemas } from '../http/contract/contract-types.ts';
import { asTenant } from '../organizations/organization-scope.ts';
import { toPhonebookRecord, type PhonebookRecord } from './phonebook-record.ts';
import { Phonebook } from './phonebook.entity.ts';

/** Creates an empty phonebook. */
export async function createPhonebook(
  database: Database,
  principal: Principal,
  { name, description }: Schemas['PhonebookInput'],
): Promise<PhonebookRecord> {
  const now = new Date();
  return asTenant(database, principal, async (em) => {
    const phonebook = em.create(Phonebook, {
      id: uuidv7(),
      organization: principal.organizationId,
      name,
      description: description ?? null,
      memberCount: 0,
      createdAt: now,
      updatedAt: now,
    });
    await em.flush();
    return toPhonebookRecord(phonebook);
  });
}
