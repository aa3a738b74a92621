import type { SmsClient } from 'sms-service-client';
import { checkKey, readSession } from '../check-credential.ts';
import { defineCommand } from '../command.ts';
import { createClient } from '../create-client.ts';
import type { Context } from '../context.ts';
import { defaultBaseUrl } from '../credentials.ts';
import { readDemo } from '../demo.ts';
import { CliError, UsageError } from '../errors.ts';
import { findOrganization } from '../find-organization.ts';
import { profilesFile, readProfiles, writeProfiles, type Profile } from '../profiles.ts';
import { openPrompt, type Prompt } from '../prompt.ts';

type Given = { baseUrl: string } & ({ apiKey: string } | { email: string; password: string });

export const login = defineCommand({
  name: 'login',
  summary: 'Signs in with an API key, or with e-mail and password.',
  description: [
    'It asks for what is not given, and stores the key or the session in $XDG_CONFIG_HOME/sms-service/config.json, which ' +
      'only you can read. Secrets are no options, because other users of the machine can see those. Without a terminal, ' +
      'the answers are read from standard input, one on each line.',
    'Each profile is one service and one caller. The last one that signed in is used if --profile is not given.',
  ],
  options: {
    url: { type: 'string', value: 'URL', description: 'Where the service is.' },
    email: {
      type: 'string',
      value: 'ADDRESS',
      description: 'Sign in with this e-mail address and its password.',
    },
    demo: {
      type: 'boolean',
      description: 'Use the test key of the demo that `npm start` runs in this directory.',
    },
    owner: {
      type: 'boolean',
      description: 'With --demo: sign in as the owner of the demo organization instead.',
    },
  },
  examples: ['sms login', 'sms login --demo', 'sms login --url https://sms.example.com --profile work'],
  run: async (context, { options }) => {
    const { environment, output, signal } = context;
    if (options.owner && !options.demo) throw new UsageError('--owner needs --demo.');
    const name = context.profileName ?? (environment['SMS_PROFILE'] || 'default');
    const given = options.demo
      ? readDemoAnswers(environment, options.owner)
      : await askAnswers(options, signal);
    const profile = await signIn(context, given);
    const stored = readProfiles(environment);
    writeProfiles(environment, { current: name, profiles: { ...stored.profiles, [name]: profile } });
    const { baseUrl, email, organizationId } = profile;
    const document = { profile: name, baseUrl, email: email ?? null, organizationId: organizationId ?? null };
    output.result(document, () => [
      `Signed in to ${baseUrl} ${email === undefined ? 'with an API key' : `as ${email}`} (profile ${name}).`,
    ]);
    output.note(`Stored in ${profilesFile(environment)}.`);
    if (organizationId === undefined) {
      output.note('The organization is not known. Some commands need --organization ID.');
    }
  },
});

function readDemoAnswers(environment: NodeJS.ProcessEnv, isOwner: boolean): Given {
  const { baseUrl, testApiKey, ownerEmail, ownerPassword } = readDemo(environment);
  return isOwner ? { baseUrl, email: ownerEmail, password: ownerPassword } : { baseUrl, apiKey: testApiKey };
}

async function askAnswers(
  { url, email }: { url: string | undefined; email: string | undefined },
  signal: AbortSignal,
): Promise<Given> {
  const prompt = openPrompt(signal);
  try {
    const baseUrl = url ?? ((await prompt.ask(`URL of the service [${defaultBaseUrl}]: `)) || defaultBaseUrl);
    if (email !== undefined) return { baseUrl, email, password: await askPassword(prompt) };
    const question = 'API key (leave it empty to sign in with e-mail and password): ';
    const apiKey = await prompt.ask(question, { isHidden: true });
    if (apiKey !== '') return { baseUrl, apiKey };
    return { baseUrl, email: await prompt.ask('E-mail address: '), password: await askPassword(prompt) };
  } finally {
    prompt.close();
  }
}

async function askPassword(prompt: Prompt): Promise<string> {
  return prompt.ask('Password: ', { isHidden: true });
}

/** Signs in, and returns what is stored. A key or password that the service refuses is an error. */
async function signIn(context: Context, given: Given): Promise<Profile> {
  const { signal } = context;
  const { baseUrl } = given;
  if ('apiKey' in given) {
    const { apiKey } = given;
    const sms = createClient({ baseUrl, apiKey });
    await checkKey(sms, signal);
    return { baseUrl, apiKey, ...(await organizationOf(sms, false, signal)) };
  }
  const { email, password } = given;
  const { token } = await createClient({ baseUrl }).auth.signIn({ email, password }, { signal });
  const sms = createClient({ baseUrl, token });
  await readSession(sms, signal);
  return { baseUrl, token, email, ...(await organizationOf(sms, true, signal)) };
}

/** The organization of the caller, if it can be found out: a caller without one can still sign in. */
async function organizationOf(
  sms: SmsClient,
  isSession: boolean,
  signal: AbortSignal,
): Promise<{ organizationId?: string }> {
  try {
    return { organizationId: await findOrganization(sms, isSession, signal) };
  } catch (error) {
    if (error instanceof CliError && error.code === 'organization_required') return {};
    throw error;
  }
}
