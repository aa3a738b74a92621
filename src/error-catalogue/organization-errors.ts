import type { ErrorDescription } from './error-description.ts';

/** The codes for organizations, their members and their invitations. */
export const organizationErrors = {
  you_are_not_the_recipient_of_the_invitation: {
    status: 403,
    meaning: 'The invitation is for another e-mail address.',
    happens:
      'A member of the organization opens or answers an invitation to somebody else. People who are not members get ' +
      '`not_found`.',
    cure: 'Sign in with the account of the invited address.',
  },
  invitation_accepted: {
    status: 409,
    meaning: 'This invitation has already been accepted.',
    happens: 'The invitation was accepted before, perhaps by a request whose response was lost.',
    cure: 'Nothing is to be done: `GET /api/auth/organization/list` shows the organization.',
  },
  invitation_rejected: {
    status: 409,
    meaning: 'This invitation was rejected. Ask for a new one.',
    happens: 'The invited person has rejected the invitation, which is final.',
    cure: 'Ask an owner or admin of the organization to invite you again.',
  },
  invitation_canceled: {
    status: 409,
    meaning: 'This invitation was cancelled. Ask for a new one.',
    happens: 'An owner or admin of the organization has cancelled the invitation.',
    cure: 'Ask an owner or admin of the organization to invite you again.',
  },
  invitation_expired: {
    status: 409,
    meaning: 'This invitation has expired. Ask for a new one.',
    happens: 'The time in `expiresAt` of the invitation has passed.',
    cure: 'Ask an owner or admin of the organization to invite you again.',
  },
  invitation_limit_reached: {
    status: 403,
    meaning: 'The organization has reached its limit of open invitations.',
    happens: 'The organization has 100 invitations that nobody has answered.',
    cure: 'Cancel invitations that are no longer needed, or wait until they are answered or expire.',
  },
  organization_limit_reached: {
    status: 403,
    meaning: 'The user has reached the limit of organizations they may own.',
    happens: 'The person owns as many organizations as `ORGANIZATIONS_PER_USER` allows.',
    cure: 'Use one of your organizations, or ask the operator of the service to raise the limit.',
  },
  organization_membership_limit_reached: {
    status: 403,
    meaning: 'The organization has reached its limit of members.',
    happens: 'The organization has 10,000 members.',
    cure: 'Remove members who are no longer needed, or create a second organization.',
  },
  last_owner: {
    status: 409,
    meaning: 'An organization must have at least one owner. Make someone else an owner first.',
    happens: 'The last owner would leave, be removed, or get another role.',
    cure: 'Make another member an owner with `POST /api/auth/organization/update-member-role` first.',
  },
} as const satisfies Record<string, ErrorDescription>;
