import { isIP } from 'node:net';
import { z } from 'zod';

/** A variable of the environment is missing or cannot be used; the message names each and what to do. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

const port = z.coerce.number().int().min(1).max(65535);
const url = z.url({ protocol: /^https?$/ }).transform((value) => value.replace(/\/+$/, ''));
const seconds = (fallback: number) => z.coerce.number().positive().default(fallback);
const count = (fallback: number) => z.coerce.number().int().positive().default(fallback);
const text = z.string().optional();
const flag = (fallback: 'true' | 'false') =>
  z
    .enum(['true', 'false'])
    .default(fallback)
    .transform((value) => value === 'true');
const origins = z
  .string()
  .default('')
  .transform((list) =>
    list
      .split(',')
      .map((origin) => origin.trim())
      .filter(Boolean),
  )
  .pipe(z.array(z.url({ protocol: /^https?$/ }).transform((origin) => new URL(origin).origin)));
const hosts = z
  .string()
  .default('')
  .transform((list) =>
    list
      .split(',')
      .map((host) => host.trim().toLowerCase())
      .filter(Boolean),
  )
  .refine((list) => list.every((host) => !host.includes('/')), {
    error: 'takes hosts or host:port, not URLs: write hooks.example.com, not https://hooks.example.com/',
  });

/** What stands where a secret is to be put: in a file that was copied and not filled in. */
const placeholder = /^change([-_ ]?(me|it|this))?$/i;
const madeBy = 'make one of your own, as `openssl rand -hex 24` does';
/** Stops at a placeholder, so that it is not told of as a secret that is too short. */
const secret = z.string().refine((value) => !placeholder.test(value), {
  error: `is still a placeholder: ${madeBy}`,
  abort: true,
});
const secretOf = (characters: number) =>
  secret.min(characters, `must have at least ${characters} characters: ${madeBy}`);

/** Express's names for ranges of addresses: 127.0.0.1/8 and ::1, link-local, and private ones. */
const proxyRanges = ['loopback', 'linklocal', 'uniquelocal'];
const trustedProxies = z
  .string()
  .default('')
  .transform((given): false | number | string[] => {
    const value = given.trim();
    if (value === '' || value === 'false' || value === '0') return false;
    return /^\d+$/.test(value) ? Number(value) : value.split(',').map((part) => part.trim());
  })
  .refine(
    (value) => !Array.isArray(value) || value.every((part) => proxyRanges.includes(part) || isSubnet(part)),
    {
      error: `takes a number of hops, or addresses, comma-separated: 10.0.0.1, 10.0.0.0/8, ${proxyRanges.join(', ')}`,
    },
  );

/** An IP address, with the length of its prefix or without: 10.0.0.0/8. */
function isSubnet(subnet: string): boolean {
  const [address = '', prefix = '0', ...rest] = subnet.split('/');
  const version = isIP(address);
  return (
    version !== 0 &&
    rest.length === 0 &&
    /^\d{1,3}$/.test(prefix) &&
    Number(prefix) <= (version === 4 ? 32 : 128)
  );
}

/**
 * Every variable the service reads, with its default and its meaning. The table in the README is made of
 * this one (`npm run generate`), so a variable is described here and nowhere else.
 */
export const variables = z.object({
  PORT: port.default(3000).describe('Port the API listens on.'),
  HOST: z.string().default('127.0.0.1').describe('Address the API listens on.'),
  BASE_URL: url.optional().describe('How callbacks and links reach the API. Default: made of HOST and PORT.'),
  TRUST_PROXY: trustedProxies.describe(
    'Behind a reverse proxy: how many proxies stand before the API, or their addresses, comma-separated (also ' +
      '10.0.0.0/8, loopback, linklocal, uniquelocal). Then the client is who they say in X-Forwarded-For; ' +
      'rate limits (of IPv6, by the /64) and sessions go by it. Unset: whoever connects.',
  ),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// URL', abort: true })
    .refine((value) => !placeholder.test(new URL(value).password), {
      error: `its password is still a placeholder: ${madeBy}, and give it to the role in PostgreSQL too`,
    })
    .describe(
      'PostgreSQL; a pooler before it must be in session mode, for the API listens (LISTEN). Unset with ' +
        '`npm start`: an embedded server in DATA_DIR.',
    ),
  DATABASE_POOL_SIZE: count(10).describe(
    'Database connections of each process, at most; an API has one more, which listens.',
  ),
  TEMPORAL_ADDRESS: z
    .string()
    .describe('host:port of Temporal. Unset with `npm start`: an embedded dev server in DATA_DIR.'),
  TEMPORAL_NAMESPACE: z.string().default('default').describe('Namespace on that Temporal.'),
  GATEWAY_URL: url.describe("Kannel's sendsms URL. Unset with `npm start`: the built-in simulator."),
  GATEWAY_USERNAME: z.string().default('sms').describe('Sendsms user.'),
  GATEWAY_PASSWORD: secret.default('sms').describe('Password of that user.'),
  GATEWAY_TOKEN: secretOf(8).describe(
    'Token of the two gateway callbacks. Generated in DATA_DIR when the database is embedded.',
  ),
  GATEWAY_CONNECTIONS: count(32).describe('Parallel connections of a worker to the gateway.'),
  BULK_GATEWAY_CONNECTIONS: count(16).describe(
    'Parallel connections to the gateway that bulk messages of a worker have to themselves.',
  ),
  BULK_RATE_PER_SECOND: count(1000).describe('Bulk messages a second, of all batches and workers together.'),
  SENDER_RATE_PER_SECOND: count(1000).describe('Of these, those of one sender.'),
  GATEWAY_TIMEOUT_SECONDS: seconds(15).describe('How long one sendsms request may take.'),
  SUBMISSION_DOUBT_SECONDS: seconds(60).describe(
    'How long a report is waited for after the answer to a submission was lost, before it is repeated.',
  ),
  SIMULATOR_URL: url.describe(
    'Sendsms URL of the simulator that takes all messages of test keys. Started by `npm start`.',
  ),
  SIMULATOR_PORT: port.describe('Port `npm run simulator` listens on. Chosen by `npm start`.'),
  WEBHOOK_ALLOWED_HOSTS: hosts.describe(
    'Hosts, comma-separated, exempt from the rule that webhooks go to public addresses only. ' +
      'Embedded default: localhost,127.0.0.1 when HOST is loopback.',
  ),
  WEBHOOK_CONCURRENCY: count(512).describe(
    'Webhook requests that a worker has open at a time; half of them at most are of one organization.',
  ),
  WEBHOOK_CONNECTIONS_PER_HOST: count(8).describe(
    'Of these, those to one host and port; what is due there beyond them waits without delaying other hosts.',
  ),
  AUTH_SECRET: secretOf(32).describe(
    'Signs session cookies and links; a new one ends the sessions of all browsers. ' +
      'Generated in DATA_DIR when the database is embedded.',
  ),
  SECURITY_CODE_PEPPER: secretOf(32).describe(
    'Under which security codes are hashed, and their texts and the secrets of webhooks sealed, the same for API and ' +
      'worker. With a new one codes that were sent before no longer verify, and webhooks with a secret of messages ' +
      'that were sent before are not delivered. Generated in DATA_DIR when the database is embedded.',
  ),
  AUTH_TRUSTED_ORIGINS: origins.describe(
    'Origins, comma-separated, beside that of BASE_URL from which browsers may call with the session cookie.',
  ),
  ALLOW_SIGN_UP: flag('true').describe(
    'false: nobody makes an account for themselves; administrators make them (POST /api/auth/admin/create-user). ' +
      'Embedded default: false when HOST is not loopback.',
  ),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: 'must be an smtp:// or smtps:// URL' })
    .optional()
    .describe('Where mails go out. Unset: none are sent, unless MAIL_TO_LOG is true.'),
  MAIL_FROM: z.string().default('SMS service <noreply@localhost>').describe('Sender of the mails.'),
  MAIL_TO_LOG: flag('false').describe(
    'true: without SMTP_URL mails are written to the log, with the tokens in them. For the embedded demo only, ' +
      'where it is the default when HOST is loopback.',
  ),
  GOOGLE_CLIENT_ID: text.describe('Sign-in with Google: client id. Unset: not offered.'),
  GOOGLE_CLIENT_SECRET: text.describe('Sign-in with Google: client secret.'),
  GITHUB_CLIENT_ID: text.describe('Sign-in with GitHub: client id. Unset: not offered.'),
  GITHUB_CLIENT_SECRET: text.describe('Sign-in with GitHub: client secret.'),
  OIDC_ISSUER: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Sign-in with any OpenID provider: its issuer, as its metadata say it. Unset: not offered.'),
  OIDC_CLIENT_ID: text.describe('Sign-in with that provider: client id.'),
  OIDC_CLIENT_SECRET: text.describe('Sign-in with that provider: client secret.'),
  OIDC_PROVIDER_ID: z
    .string()
    .regex(/^[a-z0-9-]{1,32}$/, 'must be letters, digits and hyphens')
    .default('oidc')
    .describe('How that provider is called in sign-in/social and in its redirect URI.'),
  RATE_LIMIT_PER_MINUTE: count(120_000).describe('Requests a minute of one API key or session.'),
  ORGANIZATION_RATE_LIMIT_PER_MINUTE: count(240_000).describe('Requests a minute of one organization.'),
  AUTH_RATE_LIMIT_PER_MINUTE: count(120).describe(
    'Requests a minute of one address to sign-in, sign-up and password reset.',
  ),
  ACCOUNT_RATE_LIMIT_PER_MINUTE: count(10).describe(
    'Wrong passwords a minute of one account from one address (of IPv6, from one /64); as many mails to its e-mail ' +
      'address are asked for, from all addresses.',
  ),
  ACCOUNT_STRANGERS_RATE_LIMIT_PER_MINUTE: count(100).describe(
    'Wrong passwords a minute of one account from all addresses together that have no session of it.',
  ),
  MAILS_TO_ADDRESS_PER_DAY: count(20).describe(
    'Mails a day to one e-mail address that confirm it or reset its password, sign-ups included.',
  ),
  INVITATIONS_TO_ADDRESS_PER_DAY: count(5).describe(
    'Invitations a day to one e-mail address, by all inviters together; each is a mail.',
  ),
  INVITATIONS_BY_USER_PER_DAY: count(100).describe('Invitations a day by one person.'),
  ORGANIZATIONS_PER_USER: count(10).describe(
    'Organizations that a person owns at most when they make another one.',
  ),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('Least level of the JSON log on standard output.'),
});

type Variables = z.output<typeof variables>;
type Name = keyof Variables;

const databaseNames = ['DATABASE_URL', 'DATABASE_POOL_SIZE', 'LOG_LEVEL'] as const satisfies Name[];
const serviceNames = [
  ...databaseNames,
  'HOST',
  'PORT',
  'BASE_URL',
  'TEMPORAL_ADDRESS',
  'TEMPORAL_NAMESPACE',
  'GATEWAY_TOKEN',
  'WEBHOOK_ALLOWED_HOSTS',
  'SECURITY_CODE_PEPPER',
] as const satisfies Name[];
const apiNames = [
  ...serviceNames,
  'AUTH_SECRET',
  'AUTH_TRUSTED_ORIGINS',
  'ALLOW_SIGN_UP',
  'SMTP_URL',
  'MAIL_FROM',
  'MAIL_TO_LOG',
  'GOOGLE_CLIENT_ID',
  'GOOGLE_CLIENT_SECRET',
  'GITHUB_CLIENT_ID',
  'GITHUB_CLIENT_SECRET',
  'OIDC_ISSUER',
  'OIDC_CLIENT_ID',
  'OIDC_CLIENT_SECRET',
  'OIDC_PROVIDER_ID',
  'RATE_LIMIT_PER_MINUTE',
  'ORGANIZATION_RATE_LIMIT_PER_MINUTE',
  'AUTH_RATE_LIMIT_PER_MINUTE',
  'ACCOUNT_RATE_LIMIT_PER_MINUTE',
  'ACCOUNT_STRANGERS_RATE_LIMIT_PER_MINUTE',
  'MAILS_TO_ADDRESS_PER_DAY',
  'INVITATIONS_TO_ADDRESS_PER_DAY',
  'INVITATIONS_BY_USER_PER_DAY',
  'ORGANIZATIONS_PER_USER',
  'TRUST_PROXY',
] as const satisfies Name[];
const workerNames = [
  ...serviceNames,
  'GATEWAY_URL',
  'GATEWAY_USERNAME',
  'GATEWAY_PASSWORD',
  'GATEWAY_CONNECTIONS',
  'BULK_GATEWAY_CONNECTIONS',
  'BULK_RATE_PER_SECOND',
  'SENDER_RATE_PER_SECOND',
  'GATEWAY_TIMEOUT_SECONDS',
  'SUBMISSION_DOUBT_SECONDS',
  'SIMULATOR_URL',
  'WEBHOOK_CONCURRENCY',
  'WEBHOOK_CONNECTIONS_PER_HOST',
] as const satisfies Name[];
const simulatorNames = ['HOST', 'PORT', 'BASE_URL', 'SIMULATOR_PORT', 'LOG_LEVEL'] as const satisfies Name[];

export type Environment = Record<string, string | undefined>;
export type TrustedProxies = Variables['TRUST_PROXY'];
export type DatabaseConfig = Pick<Variables, (typeof databaseNames)[number]>;
export type ApiConfig = Pick<Variables, (typeof apiNames)[number]> & { BASE_URL: string };
export type WorkerConfig = Pick<Variables, (typeof workerNames)[number]> & { BASE_URL: string };
export type SimulatorConfig = { host: string; port: number; callbackBaseUrl: string; logLevel: string };

/** What `npm run migrate` needs. Throws ConfigError. */
export function loadDatabaseConfig(environment: Environment = process.env): DatabaseConfig {
  return read(databaseNames, environment);
}

/** What the API process needs. Throws ConfigError. */
export function loadApiConfig(environment: Environment = process.env): ApiConfig {
  return withBaseUrl(read(apiNames, environment));
}

/** What a worker process needs. Throws ConfigError. */
export function loadWorkerConfig(environment: Environment = process.env): WorkerConfig {
  return withBaseUrl(read(workerNames, environment));
}

/** What the simulator process needs. Throws ConfigError. */
export function loadSimulatorConfig(environment: Environment = process.env): SimulatorConfig {
  const values = withBaseUrl(read(simulatorNames, environment));
  return {
    host: values.HOST,
    port: values.SIMULATOR_PORT,
    callbackBaseUrl: values.BASE_URL,
    logLevel: values.LOG_LEVEL,
  };
}

function read<N extends Name>(names: readonly N[], environment: Environment): Pick<Variables, N> {
  const picked = variables.pick(Object.fromEntries(names.map((name) => [name, true])) as Record<Name, true>);
  // An empty variable is what an unset one looks like in compose files, so both count as unset.
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const result = picked.safeParse(given);
  if (result.success) return result.data;
  const problems = result.error.issues.map((issue) => {
    const name = String(issue.path[0]);
    return given[name] === undefined
      ? `${name} is not set. ${variables.shape[name as Name].description ?? ''}`
      : `${name}: ${issue.message}`;
  });
  throw new ConfigError(`The configuration cannot be used:\n  ${problems.join('\n  ')}`);
}

function withBaseUrl<T extends Pick<Variables, 'HOST' | 'PORT' | 'BASE_URL'>>(
  values: T,
): T & { BASE_URL: string } {
  // An address that means all of them is one to listen on, not one to call.
  const reachable = values.HOST === '0.0.0.0' || values.HOST === '::' ? '127.0.0.1' : values.HOST;
  const host = reachable.includes(':') ? `[${reachable}]` : reachable;
  return { ...values, BASE_URL: values.BASE_URL ?? `http://${host}:${values.PORT}` };
}
