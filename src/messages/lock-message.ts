import { sql } from 'kysely';
import type { Sql } from '../database.ts';

/** Locks a message until the transaction ends, so that what is added to it is added by one transaction at a time. */
export async function lockMessage(db: Sql, id: string): Promise<void> {
  await sql`select from messages where id = ${id} for no key update`.execute(db);
}
