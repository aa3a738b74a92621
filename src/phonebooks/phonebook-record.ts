import type { Schemas } from '../http/contract/contract-types.ts';
import type { Phonebook } from './phonebook.entity.ts';

/** A phonebook as the API returns it. */
export type PhonebookRecord = Schemas['Phonebook'];

export function toPhonebookRecord(phonebook: Phonebook): PhonebookRecord {
  const { id, organization, name, description, memberCount, createdAt, updatedAt } = phonebook;
  return {
    id,
    organizationId: organization.id,
    name,
    description,
    memberCount,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
