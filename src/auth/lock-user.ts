import type { Expression } from 'kysely';
import { tablesOf, type Database } from '../database.ts';
import type { User } from './user.entity.ts';

/**
 * Locks a user until the surrounding transaction ends: of two concurrent attempts of one person, the second sees the
 * result of the first.
 *
 * @param id the id, or an expression of it
 * @returns the id; null if the user does not exist
 */
export async function lockUser(database: Database, id: string | Expression<string>): Promise<string | null> {
  const user = await tablesOf<typeof User>(database.em)
    .selectFrom('User')
    .select('id')
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return user?.id ?? null;
}
