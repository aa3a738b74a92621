import { validate as isUuid } from 'uuid';
import { sqlOf, type Database } from '../database.ts';
import { ApiError, errorCatalogue, notFound } from '../errors.ts';
import { expireInvitations } from '../organizations/expire-invitations.ts';
import { findInvitation, findPendingInvitation } from '../organizations/find-invitation.ts';
import { lockMemberRole } from '../organizations/lock-member-role.ts';
import type { MemberRole } from '../organizations/member.entity.ts';
import { readEndedInvitations } from '../organizations/read-ended-invitations.ts';
import { findMembership, requirePermission } from './access/authorize.ts';
import type { LiveSession } from './sessions/find-session.ts';

type Fields = Record<string, unknown>;

/**
 * Checks the organization, member or invitation that a request below /api/auth/organization names, before better-auth
 * does. better-auth alone would only use a named or an active organization, would let a stranger distinguish a resource
 * that exists from one that does not, would not name the missing permission, would have one code for every reason why
 * an invitation is no longer open, and would allow cancelling a cancelled invitation again.
 *
 * Errors: organization_required; not_found, the same for a resource that does not exist and one of another
 * organization; permission_denied; already_exists; you_are_not_the_recipient_of_the_invitation; invitation_accepted,
 * _rejected, _canceled, _expired.
 *
 * @param action the last part of the path, such as `accept-invitation`
 * @param fields the body, or the query of a GET
 * @returns the organization that better-auth acts on; undefined if the action does not act on an organization
 */
export async function guardOrganization(
  database: Database,
  session: LiveSession,
  action: string,
  fields: Fields,
  now: Date,
): Promise<string | undefined> {
  const named = fields['organizationId'];
  if (invitationActions.has(action)) {
    await guardInvitation(database, session, action, fields['invitationId'] ?? fields['id'], now);
  }
  if (!organizationActions.has(action)) {
    if (typeof named === 'string' && !roleIn(session, named)) throw notFound();
    if (action === 'leave' && !(await lockMemberRole(database, String(named), session.email)))
      throw notFound();
    return undefined;
  }
  const { organizationId, role } = findMembership(session, named as string | undefined);
  if (managingActions.has(action)) requirePermission(role, 'organization:manage');
  if (fields['role'] === 'owner' && role !== 'owner') {
    throw new ApiError(
      'permission_denied',
      `The role ${role} cannot make someone an owner. Only owners can.`,
    );
  }
  if (action === 'invite-member') await guardInviting(database, organizationId, fields, now);
  if (memberActions.has(action)) await guardMember(database, organizationId, role, fields);
  return organizationId;
}

/** The actions that read or change the organization that the session acts for. */
const organizationActions = new Set([
  ...['update', 'get-full-organization', 'list-members', 'get-active-member-role', 'list-invitations'],
  ...['invite-member', 'remove-member', 'update-member-role'],
]);
/** The actions for owners and admins. */
const managingActions = new Set(['update', 'invite-member', 'remove-member', 'update-member-role']);
const invitationActions = new Set([
  'accept-invitation',
  'reject-invitation',
  'cancel-invitation',
  'get-invitation',
]);
const memberActions = new Set(['remove-member', 'update-member-role']);

/**
 * Closes an expired invitation, so that a new one can be created. An invitation that is sent again keeps its role, so a
 * request with another role is refused.
 */
async function guardInviting(
  database: Database,
  organizationId: string,
  fields: Fields,
  now: Date,
): Promise<void> {
  const email = String(fields['email']).toLowerCase();
  const expired = await expireInvitations(database, organizationId, email, now);
  await readEndedInvitations(sqlOf(database), expired, now);
  if (fields['resend'] !== true) return;
  const pending = await findPendingInvitation(database, organizationId, email);
  if (!pending || pending.role === fields['role']) return;
  throw new ApiError(
    'already_exists',
    `An open invitation with the role ${pending.role} exists. Cancel it first to invite with another role.`,
  );
}

async function guardInvitation(
  database: Database,
  session: LiveSession,
  action: string,
  id: unknown,
  now: Date,
): Promise<void> {
  const invitation =
    typeof id === 'string' && isUuid(id)
      ? await findInvitation(database, id, action !== 'get-invitation')
      : undefined;
  if (!invitation) throw notFound();
  if (action === 'cancel-invitation') {
    const role = roleIn(session, invitation.organization);
    if (!role) throw notFound();
    requirePermission(role, 'organization:manage');
  } else if (invitation.email !== session.email) {
    // Members see the invitations of their organization. Everyone else gets the same error as for an unknown
    // invitation.
    if (!roleIn(session, invitation.organization)) throw notFound();
    throw apiError('you_are_not_the_recipient_of_the_invitation');
  }
  if (invitation.status !== 'pending') throw apiError(`invitation_${invitation.status}`);
  if (invitation.expiresAt <= now) throw apiError('invitation_expired');
}

/** A member of another organization gives the same error as an unknown one. Only owners can change an owner. */
async function guardMember(
  database: Database,
  organizationId: string,
  role: MemberRole,
  fields: Fields,
): Promise<void> {
  const id = String(fields['memberId'] ?? fields['memberIdOrEmail']);
  const roleOfMember = await lockMemberRole(database, organizationId, id);
  if (!roleOfMember) throw notFound();
  if (roleOfMember === 'owner' && role !== 'owner') {
    throw new ApiError(
      'permission_denied',
      `The role ${role} cannot change or remove owners. Only owners can.`,
    );
  }
}

function roleIn(session: LiveSession, organizationId: string): MemberRole | undefined {
  return session.memberships.find((membership) => membership.organizationId === organizationId)?.role;
}

function apiError(code: keyof typeof errorCatalogue): ApiError {
  return new ApiError(code, errorCatalogue[code].meaning);
}
