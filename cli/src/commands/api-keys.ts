import { defineCommand } from '../command.ts';
import { UsageError } from '../errors.ts';
import { columns } from '../output.ts';
import { permissions } from '../permissions.ts';
import { readTime } from '../read-time.ts';

const session = [
  'Owners and admins of an organization may do this, with a session: sign in with e-mail and password.',
];

export const listKeys = defineCommand({
  name: 'keys list',
  summary: 'Lists API keys, newest first.',
  description: session,
  examples: ['sms keys list'],
  run: async (context) => {
    const { output, signal } = context;
    const { apiKeys } = context.client();
    const organizationId = await context.requireOrganizationId();
    for await (const key of apiKeys.list({ organizationId, limit: 200 }, { signal })) {
      output.event(key, () => {
        const state =
          key.revokedAt === null ? output.paint('green', 'active ') : output.paint('red', 'revoked');
        return `${key.id}  ${state}  ${key.environment}  ${key.prefix}…  ${key.name}  (${key.permissions.length} permissions)`;
      });
    }
  },
});

export const createKey = defineCommand({
  name: 'keys create',
  summary: 'Creates an API key. The whole key is shown only now.',
  description: session,
  arguments: [{ name: 'NAME', description: 'What the key is for.' }],
  options: {
    environment: { type: 'string', value: 'NAME', choices: ['live', 'test'], description: 'Default: test.' },
    permission: {
      ...{ type: 'string', value: 'PERMISSION', multiple: true, choices: permissions },
      description: 'May be repeated.',
    },
    'all-permissions': { type: 'boolean', description: 'Every permission that a key can have.' },
    expires: {
      type: 'string',
      value: 'TIME',
      description: 'When the key expires, in ISO 8601. Default: never.',
    },
  },
  examples: ['sms keys create Orders --permission messages:send --permission messages:read'],
  run: async (context, { options, args: [name = ''] }) => {
    const { output, signal } = context;
    const { 'all-permissions': all, permission, environment = 'test', expires } = options;
    if (all === permission.length > 0) throw new UsageError('Give --permission, or --all-permissions.');
    const key = await context.client().apiKeys.create(
      {
        organizationId: await context.requireOrganizationId(),
        name,
        environment: environment as 'live' | 'test',
        permissions: all ? [...permissions] : (permission as (typeof permissions)[number][]),
        ...(expires !== undefined && { expiresAt: readTime('--expires', expires) }),
      },
      { signal },
    );
    output.result(key, () =>
      columns([
        ['id', key.id],
        ['key', key.key],
        ['environment', key.environment],
      ]),
    );
    output.note('The key is not shown again: store it now.');
  },
});

export const revokeKey = defineCommand({
  name: 'keys revoke',
  summary: 'Revokes an API key. Requests with it fail from then on.',
  description: session,
  arguments: [{ name: 'ID', description: 'The id of the key.' }],
  examples: ['sms keys revoke 019aa3c0-1f4e-7a51-8f0a-5d1a2d0c9b13'],
  run: async (context, { args: [id = ''] }) => {
    const { output, signal } = context;
    const organizationId = await context.requireOrganizationId();
    await context.client().apiKeys.revoke(id, { organizationId }, { signal });
    output.result({ id, revoked: true }, () => [`${id}  revoked`]);
  },
});
