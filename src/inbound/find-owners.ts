import { sql } from 'kysely';
import type { Sql } from '../database.ts';
import { spellingsOf } from './read-number.ts';

/** An organization that a number or short code belongs to. */
export interface Owner {
  organizationId: string;
  /** The number as it was approved: what the organization's messages have as sender. */
  sender: string;
}

/** Finds whose a number is, the longest first: several organizations may share a short code. */
export async function findOwners(db: Sql, number: string): Promise<Owner[]> {
  const { rows } = await sql<Owner>`
    select distinct on (organization_id) organization_id as "organizationId", value as sender
    from sender_ids
    where status = 'approved' and value ~ '^[+]?[0-9]+$' and value = any(${spellingsOf(number)}::text[])
    order by organization_id, created_at
  `.execute(db);
  return rows;
}
