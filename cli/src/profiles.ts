import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { CliError } from './errors.ts';

/** Where a profile signs in, and with what: an API key, or the token of a session. */
export interface Profile {
  baseUrl: string;
  apiKey?: string;
  token?: string;
  /** The e-mail address of the session's user. */
  email?: string;
  organizationId?: string;
}

/** The stored profiles. */
export interface Profiles {
  /** The profile that is used if none is named. */
  current?: string;
  profiles: Record<string, Profile>;
}

/** The file of the profiles (XDG Base Directory Specification). */
export function profilesFile(environment: NodeJS.ProcessEnv): string {
  const directory = environment['XDG_CONFIG_HOME'] || join(environment['HOME'] || homedir(), '.config');
  return join(directory, 'sms-service', 'config.json');
}

/**
 * Reads the profiles; none if there is no file.
 *
 * @throws CliError for a file that cannot be read
 */
export function readProfiles(environment: NodeJS.ProcessEnv): Profiles {
  const file = profilesFile(environment);
  try {
    const { current, profiles } = JSON.parse(readFileSync(file, 'utf8')) as Profiles;
    return { ...(current !== undefined && { current }), profiles: profiles ?? {} };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { profiles: {} };
    throw new CliError(
      'usage',
      'configuration',
      `${file} cannot be read: ${(error as Error).message}. Correct it, or delete it and run \`sms login\`.`,
    );
  }
}

/** Writes the profiles so that only their owner can read them. The file is replaced as a whole. */
export function writeProfiles(environment: NodeJS.ProcessEnv, profiles: Profiles): void {
  const file = profilesFile(environment);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const written = `${file}.${process.pid}.new`;
  writeFileSync(written, `${JSON.stringify(profiles, undefined, 2)}\n`, { mode: 0o600 });
  // The mode above applies only to a new file.
  chmodSync(written, 0o600);
  renameSync(written, file);
}
