import type { SecurityEventKind, SignInMethod } from '../security-events/security-event.entity.ts';
import type { Mail } from './mailer.ts';
import { plainText } from './mails.ts';

interface Change {
  kind: SecurityEventKind;
  method?: SignInMethod | null;
  client: { ipAddress: string | null; userAgent: string | null };
}

const byUser =
  'If it was you, nothing is to be done. If not, reset your password and end all other sessions.';

/** What a mail says of an event. Of the other events the user is told by the list of their account only. */
const texts: Partial<Record<Change['kind'], string>> = {
  password_changed: `The password of your account was changed.`,
  password_reset: `The password of your account was set with a link in a mail, and all sessions have ended.`,
  two_factor_enabled: `Two-factor sign-in was turned on for your account.`,
  two_factor_disabled: `Two-factor sign-in was turned off for your account.`,
  two_factor_reset:
    'An administrator has turned two-factor sign-in off for your account, and all your sessions have ended. ' +
    'Sign in with your password, and turn it on again.',
  recovery_codes_renewed: `Your account has new recovery codes. The old ones no longer work.`,
  passkey_added: `A passkey was added to your account. Whoever has it can sign in.`,
  passkey_removed: `A passkey was removed from your account.`,
};

/**
 * The mail about a change of how a user signs in, or about a sign-in with a recovery code. It has no link, because
 * forgeries have one.
 *
 * @returns null for an event of which no mail tells
 */
export function accountChangeMail(to: string, { kind, method, client }: Change, at: Date): Mail | null {
  const isRecovery = kind === 'signed_in' && method === 'recovery_code';
  const text = isRecovery ? 'Somebody has signed in to your account with a recovery code.' : texts[kind];
  if (text === undefined) return null;
  const from = `Address: ${client.ipAddress || 'unknown'}\nProgram: ${plainText(client.userAgent ?? '', 120)}\n\n`;
  const byAdministrator = kind === 'two_factor_reset';
  return {
    to,
    subject: 'A change to the security of your account',
    text:
      `${text}\n\nTime: ${at.toISOString()}\n` +
      // The address would be the administrator's.
      (byAdministrator
        ? '\nIf you did not ask for it, tell the administrators of the service.'
        : `${from}${byUser}`),
  };
}
