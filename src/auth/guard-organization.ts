import { sql } from 'kysely';
import { validate as isUuid } from 'uuid';
import { sqlOf, type Database } from '../database.ts';
import { ApiError, errorCatalogue, notFound } from '../errors.ts';
import { expireInvitations } from '../organizations/expire-invitations.ts';
import type { invitationStatuses } from '../organizations/invitation.entity.ts';
import type { MemberRole } from '../organizations/member.entity.ts';
import type { LiveSession } from './find-session.ts';

type Fields = Record<string, unknown>;

/**
 * Looks at the organization, member or invitation that a request below /api/auth/organization names, before
 * better-auth does. better-auth tells a stranger apart from someone who asks for what does not exist, has one
 * code for everything an invitation can no longer be used for, and lets a cancelled one be cancelled again.
 *
 * Errors: not_found, the same for what does not exist and what is another organization's; permission_denied;
 * you_are_not_the_recipient_of_the_invitation; invitation_accepted, _rejected, _canceled, _expired.
 *
 * @param action the last part of the path: `accept-invitation`
 * @param fields the body, or the query of a GET
 */
export async function guardOrganization(
  database: Database,
  session: LiveSession,
  action: string,
  fields: Fields,
  now: Date,
): Promise<void> {
  const named = fields['organizationId'];
  if (typeof named === 'string' && !roleIn(session, named)) throw notFound();
  if (action === 'invite-member') {
    const organizationId = named ?? session.activeOrganizationId;
    const { email } = fields;
    if (typeof organizationId === 'string' && typeof email === 'string') {
      await expireInvitations(sqlOf(database), organizationId, email, now);
    }
  }
  if (invitationActions.has(action)) {
    await guardInvitation(database, session, action, fields['invitationId'] ?? fields['id'], now);
  }
  if (memberActions.has(action)) await guardMember(database, session, fields);
}

const invitationActions = new Set([
  'accept-invitation',
  'reject-invitation',
  'cancel-invitation',
  'get-invitation',
]);
const memberActions = new Set(['remove-member', 'update-member-role']);

async function guardInvitation(
  database: Database,
  session: LiveSession,
  action: string,
  id: unknown,
  now: Date,
): Promise<void> {
  const invitation =
    typeof id === 'string' && isUuid(id)
      ? await readInvitation(database, id, action !== 'get-invitation', now)
      : null;
  if (!invitation) throw notFound();
  if (action === 'cancel-invitation') {
    if (!roleIn(session, invitation.organizationId)) throw notFound();
  } else if (invitation.email !== session.email) {
    // Members see the invitations of their organization; to everybody else this one is as unknown as none.
    if (!roleIn(session, invitation.organizationId)) throw notFound();
    throw apiError('you_are_not_the_recipient_of_the_invitation');
  }
  if (invitation.status !== 'pending') throw apiError(`invitation_${invitation.status}`);
  if (invitation.isExpired) throw apiError('invitation_expired');
}

/**
 * @param isToChange keeps others from the invitation until the transaction around this is over: of two who take
 *   it at the same moment, the second sees what became of it
 */
async function readInvitation(database: Database, id: string, isToChange: boolean, now: Date) {
  const { rows } = await sql<{
    organizationId: string;
    email: string;
    status: (typeof invitationStatuses)[number];
    isExpired: boolean;
  }>`
    select organization_id as "organizationId", email, status, expires_at <= ${now} as "isExpired"
    from invitations where id = ${id} ${isToChange ? sql`for update` : sql``}
  `.execute(sqlOf(database));
  return rows[0];
}

/** A member of another organization is as unknown as none; an owner is beyond the reach of all but owners. */
async function guardMember(database: Database, session: LiveSession, fields: Fields): Promise<void> {
  const organizationId = fields['organizationId'] ?? session.activeOrganizationId;
  const id = fields['memberId'] ?? fields['memberIdOrEmail'];
  if (typeof organizationId !== 'string' || typeof id !== 'string') return;
  const { rows } = await sql<{ role: MemberRole }>`
    select m.role from members m join users u on u.id = m.user_id
    where m.organization_id = ${organizationId} and ${isUuid(id) ? sql`m.id = ${id}` : sql`u.email = ${id.toLowerCase()}`}
  `.execute(sqlOf(database));
  const [member] = rows;
  if (!member) throw notFound();
  if (member.role === 'owner' && roleIn(session, organizationId) !== 'owner') {
    throw new ApiError('permission_denied', 'Only owners may change or remove an owner.');
  }
}

function roleIn(session: LiveSession, organizationId: string): MemberRole | undefined {
  return session.memberships.find((membership) => membership.organizationId === organizationId)?.role;
}

function apiError(code: keyof typeof errorCatalogue): ApiError {
  return new ApiError(code, errorCatalogue[code][1]);
}
