import { sql } from 'kysely';
import type { Sql } from '../database.ts';

/** Another organization that shares a short code. */
export interface Sharer {
  organizationId: string;
  shortCode: string;
}

/**
 * Finds the organizations that share a short code with an organization, and the short code. The connection must be able
 * to see all organizations.
 */
export async function findSharers(db: Sql, organizationId: string): Promise<Sharer[]> {
  const { rows } = await sql<Sharer>`
    select other.organization_id as "organizationId", other.value as "shortCode"
    from sender_ids own
    join sender_ids other on other.value = own.value and other.organization_id <> own.organization_id
      and other.status = 'approved' and other.value ~ '^[+]?[0-9]+$'
    where own.organization_id = ${organizationId} and own.status = 'approved' and own.value ~ '^[0-9]{3,8}$'
  `.execute(db);
  return rows;
}
