import { checkKey, readSession } from '../check-credential.ts';
import { defineCommand } from '../command.ts';
import { CliError } from '../errors.ts';
import { columns } from '../output.ts';

export const whoami = defineCommand({
  name: 'whoami',
  summary: 'Tells which service and caller the commands use, and checks the credential.',
  examples: ['sms whoami'],
  run: async (context) => {
    const { output, signal } = context;
    const { baseUrl, apiKey, source } = context.credentials();
    const sms = context.client();
    if (apiKey === undefined) {
      const { user, organizations } = await readSession(sms, signal);
      const organizationId = context.organizationId() ?? null;
      output.result({ kind: 'session', baseUrl, source, user, organizationId, organizations }, () =>
        columns([
          ['service', baseUrl],
          ['from', source ?? ''],
          ['user', `${user.email} (${user.role ?? 'user'})`],
          ...organizations.map(({ id, name }) => [
            id === organizationId ? 'acts for' : 'member of',
            `${id}  ${name}`,
          ]),
        ]),
      );
      return;
    }
    await checkKey(sms, signal);
    const organizationId = await context.requireOrganizationId().catch((error: unknown) => {
      if (error instanceof CliError) return null;
      throw error;
    });
    const [, environment = '', publicId = ''] = apiKey.split('_');
    output.result({ kind: 'api_key', baseUrl, source, environment, publicId, organizationId }, () =>
      columns([
        ['service', baseUrl],
        ['from', source ?? ''],
        ['key', `sms_${environment}_${publicId}_…`],
        ['organization', organizationId ?? 'not known'],
      ]),
    );
  },
});
