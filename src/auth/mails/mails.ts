import type { Mail } from './mailer.ts';

/** The mail with which people confirm their address. */
export function verificationMail(to: string, url: string): Mail {
  return {
    to,
    subject: 'Confirm your e-mail address',
    text: `Confirm that this address is yours:\n\n${url}\n\nThe link is valid for one hour. If you did not sign up, ignore this mail.`,
  };
}

/** The mail with which a forgotten password is replaced. */
export function passwordResetMail(to: string, url: string): Mail {
  return {
    to,
    subject: 'Reset your password',
    text: `Set a new password:\n\n${url}\n\nThe link is valid for one hour and can be used once. If you did not request it, ignore this mail.`,
  };
}

/** The mail about a sign-in from a device or a network that is not known. It has no link, because forgeries have one. */
export function newDeviceMail(
  to: string,
  at: Date,
  ipAddress: string | null,
  userAgent: string | null,
): Mail {
  return {
    to,
    subject: 'New sign-in to your account',
    text:
      `Somebody has signed in to your account from a new device or network.\n\n` +
      `Time: ${at.toISOString()}\nAddress: ${ipAddress || 'unknown'}\nProgram: ${plainText(userAgent ?? '', 120)}\n\n` +
      'If it was you, nothing is to be done. If not, change your password and end all other sessions.',
  };
}

/** The mail about an invitation. Accepting the invitation requires a session of that address, not this mail. */
export function invitationMail(
  to: string,
  invitation: { id: string; organizationName: string; inviterName: string; role: string; expiresAt: Date },
  baseUrl: string,
): Mail {
  const { id, role, expiresAt, organizationName, inviterName } = invitation;
  const [organization, inviter] = [plainText(organizationName), plainText(inviterName)];
  return {
    to,
    subject: 'Invitation to an organization',
    text:
      `"${inviter}" invites you to the organization "${organization}" as ${role}.\n\n` +
      `Sign in with this address and accept it: ${baseUrl}/console/invitations\n\n` +
      `Programs accept invitation ${id} with POST ${baseUrl}/api/auth/organization/accept-invitation.\n\nThe invitation expires at ${expiresAt.toISOString()}.`,
  };
}

/** The replacement for a text without any character that can be shown, such as a text of emoji only. */
const unreadable = '?';

/**
 * Turns a stranger's text into one short line that a mail may quote and that cannot be mistaken for text of the
 * service. Text that mail programs would turn into a link is broken up: only letters, digits and a few signs remain,
 * with no dot or colon between two of them, so that no scheme, host, address or markup remains. Subjects never contain
 * this text.
 */
export function plainText(text: string, maxCharacters = 60): string {
  const line = text
    .normalize('NFKC')
    .replace(/[^\p{L}\p{M}\p{N}_.:,;!?%+()'’-]+/gu, ' ')
    .replace(/[.:](?=\S)/g, ' ')
    .replace(/ +/g, ' ');
  return Array.from(line).slice(0, maxCharacters).join('').trim() || unreadable;
}

/** Turns a text into one short line, for a title in the service itself. */
export function oneLine(text: string): string {
  return Array.from(text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' '))
    .slice(0, 80)
    .join('');
}
