import { sql } from 'kysely';
import type { Sql } from '../database.ts';
import { isApprovedSender } from './permitted-sender.ts';

/** An organization that a number or short code belongs to. */
export interface Owner {
  organizationId: string;
  /** The number as it was approved, which is the sender of the organization's messages. */
  sender: string;
}

/**
 * Finds the organizations that own a number. Several organizations may share a short code.
 *
 * @param number as `readNumber` returns it, the form in which approved senders are stored
 */
export async function findOwners(db: Sql, number: string): Promise<Owner[]> {
  const { rows } = await sql<Owner>`
    select organization_id as "organizationId", value as sender
    from sender_ids
    where ${isApprovedSender('sender_ids')} and value ~ '^[+]?[0-9]+$' and value = ${number}
    order by organization_id
  `.execute(db);
  return rows;
}
