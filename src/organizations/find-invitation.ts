import { tablesOf, type Database } from '../database.ts';
import type { Invitation } from './invitation.entity.ts';

/**
 * Finds an invitation by its id.
 *
 * @param isToChange locks the invitation until the surrounding transaction ends, so that of two concurrent calls the
 *   second sees the result of the first
 */
export async function findInvitation(database: Database, id: string, isToChange: boolean) {
  const invitation = tablesOf<typeof Invitation>(database.em)
    .selectFrom('Invitation')
    .select(['organization', 'email', 'status', 'expiresAt'])
    .where('id', '=', id);
  return (isToChange ? invitation.forUpdate() : invitation).executeTakeFirst();
}

/** Finds the pending invitation of an address, in lower case, to an organization; there is at most one. */
export async function findPendingInvitation(database: Database, organizationId: string, email: string) {
  return tablesOf<typeof Invitation>(database.em)
    .selectFrom('Invitation')
    .select('role')
    .where('organization', '=', organizationId)
    .where('email', '=', email)
    .where('status', '=', 'pending')
    .executeTakeFirst();
}
