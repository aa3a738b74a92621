import { sql } from 'kysely';
import type { Sql } from '../database.ts';

/**
 * Locks contacts until the transaction ends, in the order of their ids, so that none is deleted meanwhile.
 *
 * @param ids an array in PostgreSQL's text format
 * @returns the number of ids that are contacts of the organization
 */
export async function lockContacts(db: Sql, organizationId: string, ids: string): Promise<number> {
  const { rows } = await sql<{ found: number }>`
    select count(*)::int as found from (
      select from contacts where organization_id = ${organizationId} and id = any(${ids}::uuid[])
      order by id for key share
    ) locked
  `.execute(db);
  return rows[0]!.found;
}
