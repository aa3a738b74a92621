import { sql } from 'kysely';
import { sqlOf, type Database } from '../database.ts';
import { ApiError } from '../errors.ts';

/**
 * Refuses another organization to a person who has reached the limit. Runs in the transaction that creates the
 * organization: a lock makes concurrent attempts of the same person wait until it ends.
 *
 * Errors: organization_limit_reached.
 */
export async function limitOrganizations(database: Database, userId: string, limit: number): Promise<void> {
  const db = sqlOf(database);
  await sql`select from users where id = ${userId} for no key update`.execute(db);
  const { rows } = await sql<{ owned: number }>`
    select count(*)::int as owned from members where user_id = ${userId} and role = 'owner'
  `.execute(db);
  if (rows[0]!.owned < limit) return;
  throw new ApiError(
    'organization_limit_reached',
    `You own ${rows[0]!.owned} organizations, and the limit is ${limit}. Use one of them, or ask the operator of the service.`,
  );
}
