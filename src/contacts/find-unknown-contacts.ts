import { sql } from 'kysely';
import type { Sql } from '../database.ts';

/**
 * Returns the first of these ids that are not contacts of the organization, in their order.
 *
 * @param ids an array in PostgreSQL's text format
 */
export async function findUnknownContacts(
  db: Sql,
  organizationId: string,
  ids: string,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select wanted.id from unnest(${ids}::uuid[]) with ordinality wanted (id, place)
    where not exists (
      select from contacts where contacts.id = wanted.id and contacts.organization_id = ${organizationId}
    )
    order by place limit ${limit}
  `.execute(db);
  return rows.map(({ id }) => id);
}
