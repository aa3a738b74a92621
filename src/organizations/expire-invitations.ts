import { sql } from 'kysely';
import type { Sql } from '../database.ts';

/**
 * Closes what is open of an address's invitations into an organization although its time is over, so that the
 * address can be invited again: an organization has one pending invitation of an address at most.
 *
 * @returns the ids of those it closed
 */
export async function expireInvitations(
  on: Sql,
  organizationId: string,
  email: string,
  now: Date,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update invitations set status = 'expired'
    where organization_id = ${organizationId} and lower(email) = ${email.toLowerCase()}
      and status = 'pending' and expires_at <= ${now}
    returning id
  `.execute(on);
  return rows.map(({ id }) => id);
}
