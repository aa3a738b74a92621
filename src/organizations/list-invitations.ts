import type { LiveSession } from '../auth/sessions/find-session.ts';
import type { Database } from '../database.ts';
import { ApiError, errorCatalogue } from '../errors.ts';
import type { Schemas } from '../http/contract/contract-types.ts';
import { toCursorPage, type CursorPage, type CursorQuery } from '../http/cursor.ts';
import { acrossOrganizations } from './organization-scope.ts';
import { Invitation } from './invitation.entity.ts';

/**
 * Lists the open invitations of the signed-in user, newest first. Errors: email_not_verified, because an unconfirmed
 * address, and with it the invitations, may belong to someone else.
 */
export async function listInvitations(
  database: Database,
  session: LiveSession,
  page: CursorQuery,
  now: Date,
): Promise<CursorPage<Required<Schemas['Invitation']>>> {
  if (!session.emailVerified) {
    throw new ApiError('email_not_verified', errorCatalogue.email_not_verified.meaning);
  }
  const invitations = await database.em.fork().find(
    Invitation,
    {
      email: session.email,
      status: 'pending',
      expiresAt: { $gt: now },
      ...(page.before && { id: { $lt: page.before } }),
    },
    { orderBy: { id: 'desc' }, limit: page.limit + 1, filters: acrossOrganizations },
  );
  return toCursorPage(invitations, page, (invitation) => ({
    id: invitation.id,
    organizationId: invitation.organization.id,
    email: invitation.email,
    role: invitation.role,
    status: invitation.status,
    expiresAt: invitation.expiresAt.toISOString(),
    createdAt: invitation.createdAt.toISOString(),
    inviterId: invitation.inviter.id,
  }));
}
