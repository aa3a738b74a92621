import { sql } from 'kysely';
import type { Sql } from '../../database.ts';

/**
 * Inserts the settings with their defaults, unless they exist. No migration does, because a backup is restored into a
 * database without rows.
 */
export async function ensureWatch(db: Sql): Promise<void> {
  await sql`insert into security_code_watch (id) values (1) on conflict do nothing`.execute(db);
}
