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
  const { id, role, expiresAt, organizationName, inviterName } = invitation;
  const [organization, inviter] = [plainText(organizationName), plainText(inviterName)];
  return {
    to,
    subject: 'Invitation to an organization',
    text:
      `"${inviter}" invites you to the organization "${organization}" as ${role}.\n\n` +
      `Sign in at ${baseUrl} with this address and accept invitation ${id} ` +
      `(POST ${baseUrl}/api/auth/organization/accept-invitation).\n\nIt is open until ${expiresAt.toISOString()}.`,
  };
}

/** What is left of a text that has nothing that can be shown: emoji, for example. */
const unreadable = '?';

/**
 * Makes of a stranger's text one short line that a mail may quote and that cannot pass for text of ours. What mail
 * programs make a link of is broken up: only letters, digits and a few signs stay, and no dot or colon between two of
 * them, so there is neither a scheme, a host, an address nor markup. Subjects hold no such text at all.
 */
export function plainText(text: string, maxCharacters = 60): string {
  const line = text
    .normalize('NFKC')
    .replace(/[^\p{L}\p{M}\p{N}_.:,;!?%+()'’-]+/gu, ' ')
    .replace(/[.:](?=\S)/g, ' ')
    .replace(/ +/g, ' ');
  return Array.from(line).slice(0, maxCharacters).join('').trim() || unreadable;
}

/** Makes of a text one short line, for a title in the service itself. */
export function oneLine(text: string): string {
  return Array.from(text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' '))
    .slice(0, 80)
    .join('');
}
