import { CliError } from './errors.ts';
import { readProfiles, type Profile } from './profiles.ts';

/** Where the service is if nobody says it: where `npm start` runs it. */
export const defaultBaseUrl = 'http://127.0.0.1:3000';

/** With what a command calls the service. */
export interface Credentials extends Profile {
  /** Where the key or the token comes from, for people. Undefined if there is none. */
  source?: string;
}

/**
 * Finds where the service is and the credential for it. The environment comes before the profile: a script that sets
 * SMS_API_KEY must not act with the key of the person who runs it.
 *
 * The credential of a profile goes only to the service of the profile: at another URL, somebody else could read it.
 *
 * @param profileName the profile that was named, if any
 * @throws CliError if the named profile does not exist or is for another URL than SMS_BASE_URL, or if the environment has
 *   a key and a token
 */
export function findCredentials(
  environment: NodeJS.ProcessEnv,
  profileName: string | undefined,
): Credentials {
  const stored = readProfiles(environment);
  const named = profileName ?? (environment['SMS_PROFILE'] || undefined);
  const name = named ?? stored.current ?? 'default';
  const profile = stored.profiles[name];
  const [apiKey, token] = [environment['SMS_API_KEY'] || undefined, environment['SMS_TOKEN'] || undefined];
  const baseUrl = environment['SMS_BASE_URL'] || profile?.baseUrl || defaultBaseUrl;
  if (apiKey !== undefined && token !== undefined) {
    throw new CliError('usage', 'usage', 'Set SMS_API_KEY or SMS_TOKEN, not both.');
  }
  if (apiKey !== undefined) return { baseUrl, apiKey, source: 'SMS_API_KEY' };
  if (token !== undefined) return { baseUrl, token, source: 'SMS_TOKEN' };
  if (profile === undefined && named !== undefined) {
    throw new CliError(
      'refused',
      'not_signed_in',
      `There is no profile ${named}. Run \`sms login --profile ${named}\`.`,
    );
  }
  if (profile === undefined) return { baseUrl };
  if (isSameService(profile.baseUrl, baseUrl)) return { ...profile, source: `profile ${name}` };
  if (named === undefined) return { baseUrl };
  throw new CliError(
    'usage',
    'usage',
    `The profile ${named} is for ${profile.baseUrl}, and SMS_BASE_URL is ${baseUrl}. Unset one of them, or set SMS_API_KEY.`,
  );
}

function isSameService(one: string, other: string): boolean {
  const plain = (url: string): string => url.replace(/\/+$/, '');
  return plain(one) === plain(other);
}
