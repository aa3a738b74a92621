import type { SmsClient } from 'sms-service-client';
import { createClient } from './create-client.ts';
import { findCredentials, type Credentials } from './credentials.ts';
import { CliError, UsageError } from './errors.ts';
import { findOrganization } from './find-organization.ts';
import type { Output } from './output.ts';

/** What every command gets. */
export interface Context {
  output: Output;
  environment: NodeJS.ProcessEnv;
  /** Aborted by Ctrl-C and similar signals. */
  signal: AbortSignal;
  /** The profile that was named on the command line. */
  profileName: string | undefined;
  /** Where the service is, and with what to call it. */
  credentials: () => Credentials;
  /** The client of the caller. Throws CliError if nobody is signed in. */
  client: () => SmsClient;
  /** The organization to act for, if the caller named one. */
  organizationId: () => string | undefined;
  /** The organization to act for, where the API requires it. A key's own is found out. */
  requireOrganizationId: () => Promise<string>;
}

/** Creates the context of a command. Nothing is read or requested before it is needed. */
export function createContext(given: {
  output: Output;
  environment: NodeJS.ProcessEnv;
  signal: AbortSignal;
  profileName: string | undefined;
  organizationId: string | undefined;
}): Context {
  const { output, environment, signal, profileName } = given;
  let credentials: Credentials | undefined;
  let client: SmsClient | undefined;
  const context: Context = {
    ...{ output, environment, signal, profileName },
    credentials: () =>
      (credentials ??= requireFit(findCredentials(environment, profileName), given.organizationId)),
    client: () => (client ??= createSignedInClient(context.credentials())),
    organizationId: () => {
      const { apiKey, organizationId } = context.credentials();
      if (apiKey !== undefined) return organizationId;
      return given.organizationId ?? (environment['SMS_ORGANIZATION_ID'] || organizationId);
    },
    requireOrganizationId: async () =>
      context.organizationId() ??
      (await findOrganization(context.client(), context.credentials().token !== undefined, signal)),
  };
  return context;
}

/** @throws UsageError if an organization is named for a key, which would act for its own one instead */
function requireFit(credentials: Credentials, organizationId: string | undefined): Credentials {
  if (credentials.apiKey === undefined || organizationId === undefined) return credentials;
  throw new UsageError('--organization needs a session: an API key acts for its own organization.');
}

function createSignedInClient({ baseUrl, apiKey, token }: Credentials): SmsClient {
  if (apiKey === undefined && token === undefined) {
    throw new CliError(
      'refused',
      'not_signed_in',
      'Nobody is signed in. Run `sms login`, or set SMS_API_KEY.',
    );
  }
  return createClient({ baseUrl, apiKey, token });
}
