import { tablesOf, type Database } from '../database.ts';
import type { Invitation } from './invitation.entity.ts';

/**
 * Closes the expired but still pending invitations of an address to an organization, so that the address can be invited
 * again: an organization has at most one pending invitation for an address.
 *
 * @returns the ids of the closed invitations
 */
export async function expireInvitations(
  database: Database,
  organizationId: string,
  email: string,
  now: Date,
): Promise<string[]> {
  const expired = await tablesOf<typeof Invitation>(database.em)
    .updateTable('Invitation')
    .set({ status: 'expired' })
    .where('organization', '=', organizationId)
    .where((invitation) => invitation.fn('lower', ['email']), '=', email.toLowerCase())
    .where('status', '=', 'pending')
    .where('expiresAt', '<=', now)
    .returning('id')
    .execute();
  return expired.map(({ id }) => id);
}
