import { sql, type RawBuilder } from 'kysely';
import { validate } from 'uuid';
import { notFound } from '../errors.ts';
import type { ScopedEntityManager } from '../organizations/organization-scope.ts';
import { Phonebook } from './phonebook.entity.ts';

/** Counts the contacts in a phonebook. Errors: not_found. */
export async function countMembers(em: ScopedEntityManager, id: string): Promise<number> {
  if (!validate(id)) throw notFound();
  const phonebook = await em.findOne(Phonebook, { id }, { fields: ['memberCount'] });
  if (!phonebook) throw notFound();
  return phonebook.memberCount;
}

/** The same in a statement that reads another table; null if the phonebook was deleted. */
export function memberCountOf(id: RawBuilder<unknown>): RawBuilder<number | null> {
  return sql`(select member_count from phonebooks where phonebooks.id = ${id})`;
}
