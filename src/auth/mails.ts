import type { Mail } from './mailer.ts';

/** The mail by which a person proves that an address is his. */
export function verificationMail(to: string, url: string): Mail {
  return {
    to,
    subject: 'Confirm your e-mail address',
    text: `Confirm that this address is yours:\n\n${url}\n\nThe link is good for one hour. If you did not sign up, ignore this mail.`,
  };
}

/** The mail by which a forgotten password is replaced. */
export function passwordResetMail(to: string, url: string): Mail {
  return {
    to,
    subject: 'Reset your password',
    text: `Set a new password:\n\n${url}\n\nThe link is good for one hour and for one use. If you did not ask for it, ignore this mail.`,
  };
}

/** The mail that tells of an invitation; accepting it takes a session of that address, not this mail. */
export function invitationMail(
  to: string,
  invitation: { id: string; organizationName: string; inviterName: string; role: string; expiresAt: Date },
  baseUrl: string,
): Mail {
  const { id, role, expiresAt } = invitation;
  // Names are free text of strangers: on one line, and short, they cannot pass for text of ours.
  const [organization, inviter] = [oneLine(invitation.organizationName), oneLine(invitation.inviterName)];
  return {
    to,
    subject: `Invitation to ${organization}`,
    text:
      `${inviter} invites you to ${organization} as ${role}.\n\n` +
      `Sign in at ${baseUrl} with this address and accept invitation ${id} ` +
      `(POST ${baseUrl}/api/auth/organization/accept-invitation).\n\nIt is open until ${expiresAt.toISOString()}.`,
  };
}

/** Makes of a stranger's text one short line, which cannot pass for text of ours. */
export function oneLine(text: string): string {
  return Array.from(text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' '))
    .slice(0, 80)
    .join('');
}
