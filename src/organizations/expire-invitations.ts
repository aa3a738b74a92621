import { sql } from 'kysely';
import type { Sql } from '../database.ts';

/**
 * Closes the expired but still pending invitations of an address to an organization, so that the address can be invited
 * again: an organization has at most one pending invitation for an address.
 *
 * @returns the ids of the closed invitations
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
