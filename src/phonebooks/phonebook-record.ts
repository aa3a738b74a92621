import type { Phonebook } from './phonebook.entity.ts';

/** A phonebook as the API returns it. */
export interface PhonebookRecord {
  id: string;
  organizationId: string;
  name: string;
  description: string | null;
  memberCount: number;
  createdAt: string;
  updatedAt: string;
}

export function toPhonebookRecord(phonebook: Phonebook): PhonebookRecord {
  const { id, organization, name, description, memberCount, createdAt, updatedAt } = phonebook;
  return {
    ...{ id, organizationId: organization.id, name, description, memberCount },
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
