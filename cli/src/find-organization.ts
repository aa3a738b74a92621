import { SmsApiError, type SmsClient } from 'sms-service-client';
import { CliError } from './errors.ts';

/**
 * Finds the organization of a caller: that of the key, the session's active one, or its only one.
 *
 * @throws CliError if it cannot be found
 */
export async function findOrganization(
  sms: SmsClient,
  isSession: boolean,
  signal: AbortSignal,
): Promise<string> {
  const id = isSession ? await findOfSession(sms, signal) : await findOfKey(sms, signal);
  if (id !== undefined) return id;
  throw new CliError(
    'usage',
    'organization_required',
    isSession
      ? 'You have several organizations, or none. Give --organization ID; `sms whoami` lists them.'
      : 'The organization of the key cannot be found out. Give --organization ID.',
  );
}

async function findOfSession(sms: SmsClient, signal: AbortSignal): Promise<string | undefined> {
  const session = await sms.auth.getSession({}, { signal });
  const active = session?.session.activeOrganizationId;
  if (active) return active;
  const organizations = await sms.organizations.list({ signal });
  return organizations.length === 1 ? organizations[0]!.id : undefined;
}

/**
 * No endpoint tells a key its organization, but everything that it can read does. An organization that sends has an
 * approved sender, so that list comes first. A key may lack the permission for any of these lists.
 */
async function findOfKey(sms: SmsClient, signal: AbortSignal): Promise<string | undefined> {
  const query = { limit: 1 };
  const lists = [
    () => sms.senderIds.list(query, { signal }),
    () => sms.messages.list(query, { signal }),
    () => sms.contacts.list(query, { signal }),
    () => sms.contactLists.list(query, { signal }),
    () => sms.campaigns.list({ pageSize: 1 }, { signal }),
  ];
  for (const list of lists) {
    try {
      const [first] = (await list().page()).data;
      if (first !== undefined) return first.organizationId;
    } catch (error) {
      if (!(error instanceof SmsApiError) || error.code !== 'permission_denied') throw error;
    }
  }
  return undefined;
}
