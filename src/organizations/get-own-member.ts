import { findMembership } from '../auth/access/authorize.ts';
import type { LiveSession } from '../auth/sessions/find-session.ts';
import type { Database } from '../database.ts';
import { notFound } from '../errors.ts';
import { Member } from './member.entity.ts';
import { acrossOrganizations } from './organization-scope.ts';

/**
 * Finds the signed-in user as a member of the organization that their session acts for. better-auth's own
 * get-active-member requires an active organization.
 *
 * Errors: organization_required, not_found.
 *
 * @returns the MemberWithUser of openapi.yaml, except that a missing image is null
 */
export async function getOwnMember(database: Database, session: LiveSession): Promise<unknown> {
  const { organizationId } = findMembership(session, undefined);
  const member = await database.em
    .fork()
    .findOne(
      Member,
      { organization: organizationId, user: session.userId },
      { populate: ['user'], filters: acrossOrganizations },
    );
  if (!member) throw notFound();
  const { id, role, createdAt } = member;
  const { id: userId, name, email, image } = member.user;
  return {
    id,
    organizationId,
    userId,
    role,
    createdAt: createdAt.toISOString(),
    user: { id: userId, name, email, image },
  };
}
