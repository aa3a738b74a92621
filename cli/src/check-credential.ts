import { SmsApiError, type SmsClient } from 'sms-service-client';
import { CliError } from './errors.ts';

/**
 * Checks that the service accepts an API key. Any request would do: a key without the permission is a valid one.
 *
 * @throws SmsApiError if the key is wrong, revoked or expired
 */
export async function checkKey(sms: SmsClient, signal: AbortSignal): Promise<void> {
  try {
    await sms.messages.list({ limit: 1 }, { signal }).page();
  } catch (error) {
    if (!(error instanceof SmsApiError) || error.code !== 'permission_denied') throw error;
  }
}

/** Who a session belongs to, and the organizations that they can act for. */
export interface SessionCaller {
  user: { id: string; email: string; name: string; role: string | null };
  organizations: { id: string; name: string }[];
}

/**
 * Reads who a session belongs to.
 *
 * @throws CliError if the session has ended
 */
export async function readSession(sms: SmsClient, signal: AbortSignal): Promise<SessionCaller> {
  const session = await sms.auth.getSession({}, { signal });
  if (session === null) {
    throw new CliError('refused', 'unauthenticated', 'The session has ended. Run `sms login` again.');
  }
  const { id, email, name, role } = session.user;
  const organizations = await sms.organizations.list({ signal });
  return {
    user: { id, email, name, role: role ?? null },
    organizations: organizations.map((one) => ({ id: one.id, name: one.name })),
  };
}
