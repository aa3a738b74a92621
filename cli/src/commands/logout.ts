import { SmsError } from 'sms-service-client';
import { defineCommand } from '../command.ts';
import { createClient } from '../create-client.ts';
import { readProfiles, writeProfiles } from '../profiles.ts';

export const logout = defineCommand({
  name: 'logout',
  summary: 'Ends the session of a profile, and removes the profile.',
  description: ['An API key stays valid; `sms keys revoke` revokes it.'],
  examples: ['sms logout', 'sms logout --profile work'],
  run: async ({ environment, output, profileName, signal }) => {
    const { current, profiles } = readProfiles(environment);
    const name = profileName ?? (environment['SMS_PROFILE'] || current) ?? 'default';
    const { [name]: profile, ...others } = profiles;
    if (profile === undefined) {
      output.result({ profile: name, removed: false }, () => [`There is no profile ${name}.`]);
      return;
    }
    const { baseUrl, token } = profile;
    if (token !== undefined) {
      await createClient({ baseUrl, token })
        .auth.signOut({ signal })
        .catch((error: unknown) => {
          if (!(error instanceof SmsError)) throw error;
          output.note(`The service did not end the session: ${error.message}`);
        });
    }
    writeProfiles(environment, {
      ...(current !== name && current !== undefined && { current }),
      profiles: others,
    });
    output.result({ profile: name, removed: true }, () => [`Signed out of ${baseUrl} (profile ${name}).`]);
  },
});
