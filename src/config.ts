import { isIP } from 'node:net';
import { z } from 'zod';

/** A required environment variable is missing or invalid. The message names each one and says what to do. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

const port = z.coerce.number().int().min(1).max(65535);
const url = z.url({ protocol: /^https?$/ }).transform((value) => value.replace(/\/+$/, ''));
const seconds = (fallback: number) => z.coerce.number().positive().default(fallback);
const count = (fallback: number) => z.coerce.number().int().positive().default(fallback);
const milliseconds = (fallback: number) => z.coerce.number().int().min(0).max(1000).default(fallback);
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
    error: 'must be hosts or host:port, not URLs: write hooks.example.com, not https://hooks.example.com/',
  });

/** The placeholder for a secret, in a file that was copied and not filled in. */
const placeholder = /^change([-_ ]?(me|it|this))?$/i;
const howToGenerate = 'generate one with `openssl rand -hex 24`';
/** Stops at a placeholder, so that it is not also reported as a secret that is too short. */
const secret = z.string().refine((value) => !placeholder.test(value), {
  error: `is still a placeholder: ${howToGenerate}`,
  abort: true,
});
const secretOf = (characters: number) =>
  secret.min(characters, `must have at least ${characters} characters: ${howToGenerate}`);

/** The keys that seal, as `id:key` with commas between them. */
const sealingKeys = z
  .string()
  .default('')
  .transform((list) =>
    list
      .split(',')
      .map((entry) => entry.trim())
      .filter(Boolean)
      .map((entry) => {
        const [id = '', ...rest] = entry.split(':');
        return { id, secret: rest.join(':') };
      }),
  )
  .refine((keys) => keys.every(({ id, secret: key }) => /^[\w-]{1,16}$/.test(id) && key.length >= 32), {
    error: `must be id:key, with commas between them: an id of 1 to 16 letters, digits or hyphens, a key of at least 32 characters; ${howToGenerate}`,
  })
  .refine((keys) => new Set(keys.map(({ id }) => id)).size === keys.length, {
    error: 'has two keys with the same id',
  });

/** Express's names for address ranges: 127.0.0.1/8 and ::1, link-local, and private addresses. */
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
      error: `must be a number of hops, or comma-separated addresses: 10.0.0.1, 10.0.0.0/8, ${proxyRanges.join(', ')}`,
    },
  );

/** Returns whether a text is an IP address, with or without a prefix length: 10.0.0.0/8. */
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
 * Every variable that the service reads, with its default and its meaning. The table in docs/configuration.md is generated from
 * this object (`npm run generate`), so a variable is described only here.
 */
export const variables = z.object({
  PORT: port.default(3000).describe('Port the API listens on.'),
  HOST: z.string().default('127.0.0.1').describe('Address the API listens on.'),
  REUSE_PORT: flag('false').describe(
    'true: several API processes on one machine listen on the same port, and the kernel distributes new connections ' +
      'among them (SO_REUSEPORT).',
  ),
  BASE_URL: url
    .optional()
    .describe('URL at which callbacks and links reach the API. Default: built from HOST and PORT.'),
  TRUST_PROXY: trustedProxies.describe(
    'Behind a reverse proxy: the number of proxies in front of the API, or their comma-separated addresses (also ' +
      '10.0.0.0/8, loopback, linklocal, uniquelocal). The client address is then taken from X-Forwarded-For. ' +
      'Rate limits (for IPv6, per /64) and sessions use it. Unset: the address of the connection.',
  ),
  METRICS_HOST: z
    .string()
    .default('127.0.0.1')
    .describe('Address on which a process serves metrics and health. It must not be public.'),
  METRICS_PORT: port
    .optional()
    .describe(
      'Port on which an API, a worker or a simulator serves /metrics (Prometheus), /health/live and /health/ready. ' +
        'Each process needs its own. Unset: none. Chosen by `npm start`.',
    ),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// URL', abort: true })
    .refine((value) => !placeholder.test(new URL(value).password), {
      error: `its password is still a placeholder: ${howToGenerate}, and set it for the role in PostgreSQL too`,
    })
    .describe(
      'URL of PostgreSQL. A connection pooler must be in session mode, because the API uses LISTEN. Unset with ' +
        '`npm start`: an embedded server in DATA_DIR.',
    ),
  DATABASE_POOL_SIZE: count(10).describe(
    'Maximum number of database connections of each process. An API has one more, for LISTEN.',
  ),
  BATCH_WAIT_MS: milliseconds(5).describe(
    'Under load: how long, at most, a write waits for others so that one statement writes them together. At low load ' +
      'nothing waits. 0: nothing ever waits.',
  ),
  OUTCOME_WAIT_MS: milliseconds(10).describe(
    'The same for delivery reports and for the outcomes of submissions and webhooks, for which nobody waits.',
  ),
  DISPATCH_WAIT_MS: milliseconds(130).describe(
    'Minimum time between two starts of workflows for messages, or for webhooks. Those that are stored meanwhile share ' +
      'a workflow. What is stored later starts at once. 0: nothing ever waits.',
  ),
  TEMPORAL_ADDRESS: z
    .string()
    .describe('host:port of Temporal. Unset with `npm start`: an embedded dev server in DATA_DIR.'),
  TEMPORAL_NAMESPACE: z.string().default('default').describe('Namespace in that Temporal.'),
  TEMPORAL_UI_URL: url
    .optional()
    .describe(
      'URL of the Temporal Web UI, to which the console leads administrators. Unset: the console shows no such links. ' +
        'Set by `npm start`.',
    ),
  TEMPORAL_TLS: flag('false').describe('true: connections to Temporal use TLS. The next four need it.'),
  TEMPORAL_TLS_CA: text.describe(
    'File (PEM) with the certificates of the authorities that may sign the certificate of Temporal. Unset: those that ' +
      'are publicly trusted.',
  ),
  TEMPORAL_TLS_CERT: text.describe(
    'File (PEM) with the client certificate, if Temporal requires one. Files are read when a process starts.',
  ),
  TEMPORAL_TLS_KEY: text.describe('File (PEM) with the private key of that certificate.'),
  TEMPORAL_API_KEY: secret.optional().describe('API key that is sent to Temporal, for Temporal Cloud.'),
  GATEWAY_URL: url.describe("URL of Kannel's sendsms. Unset with `npm start`: the built-in simulator."),
  GATEWAY_USERNAME: z.string().default('sms').describe('Sendsms user.'),
  GATEWAY_PASSWORD: secret.default('sms').describe('Password of that user.'),
  GATEWAY_TOKEN: secretOf(8).describe(
    'Token for the two gateway callbacks. Generated in DATA_DIR when the database is embedded.',
  ),
  GATEWAY_PREVIOUS_TOKEN: secretOf(8)
    .optional()
    .describe(
      'While GATEWAY_TOKEN is changed: the previous token. The API accepts it too, so that no report of a message under way is refused.',
    ),
  GATEWAY_CONNECTIONS: count(32).describe('Parallel connections from a worker to the gateway.'),
  BULK_GATEWAY_CONNECTIONS: count(16).describe(
    'Additional parallel connections from a worker to the gateway, for bulk messages only.',
  ),
  BULK_RATE_PER_SECOND: count(1000).describe('Bulk messages per second, over all batches and workers.'),
  SENDER_RATE_PER_SECOND: count(1000).describe(
    'Bulk messages per second from one sender, within that limit.',
  ),
  GATEWAY_TIMEOUT_SECONDS: seconds(15).describe('How long one sendsms request may take.'),
  SUBMISSION_DOUBT_SECONDS: seconds(60).describe(
    'How long a submission in doubt waits for a report before it is repeated. It is in doubt if no response shows whether the gateway accepted the message.',
  ),
  SIMULATOR_URL: url.describe(
    'Sendsms URL of the simulator that receives all messages of test keys. Started by `npm start`.',
  ),
  SIMULATOR_PORT: port.describe('Port that `npm run simulator` listens on. Chosen by `npm start`.'),
  WEBHOOK_ALLOWED_HOSTS: hosts.describe(
    'Comma-separated hosts that are exempt from the rule that webhooks go only to public addresses. ' +
      'Embedded default: localhost,127.0.0.1 when HOST is loopback.',
  ),
  WEBHOOK_CONCURRENCY: count(512).describe(
    'Maximum number of concurrent webhook requests of a worker. One organization may use at most half of them.',
  ),
  WEBHOOK_CONNECTIONS_PER_HOST: count(8).describe(
    'Maximum number of concurrent webhook requests of one worker to one scheme, host and port. Eight times as many while ' +
      'the host responds within 100 ms. Further deliveries there wait without delaying other hosts.',
  ),
  AUTH_SECRET: secretOf(32).describe(
    'Signs session cookies and links. Changing it ends the sessions of all browsers. ' +
      'Generated in DATA_DIR when the database is embedded.',
  ),
  SECURITY_CODE_PEPPER: secretOf(32).describe(
    'Key for hashing security codes and for sealing their texts and webhook secrets. API and worker need the same value. ' +
      'Change it together with SECURITY_CODE_PREVIOUS_PEPPER. Generated in DATA_DIR when the database is embedded.',
  ),
  SECURITY_CODE_PREVIOUS_PEPPER: secretOf(32)
    .optional()
    .describe(
      'While SECURITY_CODE_PEPPER is changed: the previous one, with which stored values may be sealed. `npm run reseal` ' +
        'seals them with the new one.',
    ),
  SEALING_KEYS: sealingKeys.describe(
    'Keys for sealing texts with security codes and webhook secrets, as id:key with commas between them. The first one ' +
      'seals, all of them open. Stored values name the id of their key. Unset: SECURITY_CODE_PEPPER seals. ' +
      'API and worker need the same keys; `npm run reseal` seals stored values with the first one.',
  ),
  AUTH_TRUSTED_ORIGINS: origins.describe(
    'Comma-separated origins, in addition to that of BASE_URL, from which browsers may call with the session cookie.',
  ),
  ALLOW_SIGN_UP: flag('true').describe(
    'false: people cannot sign up; administrators create accounts (POST /api/auth/admin/create-user). ' +
      'Embedded default: false when HOST is not loopback.',
  ),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: 'must be an smtp:// or smtps:// URL' })
    .optional()
    .describe('Mail server for outgoing mails. Unset: no mails are sent, unless MAIL_TO_LOG is true.'),
  MAIL_FROM: z.string().default('SMS service <noreply@localhost>').describe('Sender of the mails.'),
  MAIL_TO_LOG: flag('false').describe(
    'true: without SMTP_URL, mails are written to the log, including their tokens. Only for the embedded demo, ' +
      'where it is the default when HOST is loopback.',
  ),
  GOOGLE_CLIENT_ID: text.describe('Sign-in with Google: client id. Unset: not offered.'),
  GOOGLE_CLIENT_SECRET: text.describe('Sign-in with Google: client secret.'),
  GITHUB_CLIENT_ID: text.describe('Sign-in with GitHub: client id. Unset: not offered.'),
  GITHUB_CLIENT_SECRET: text.describe('Sign-in with GitHub: client secret.'),
  OIDC_ISSUER: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Sign-in with any OpenID provider: its issuer, as in its metadata. Unset: not offered.'),
  OIDC_CLIENT_ID: text.describe('Sign-in with that provider: client id.'),
  OIDC_CLIENT_SECRET: text.describe('Sign-in with that provider: client secret.'),
  OIDC_PROVIDER_ID: z
    .string()
    .regex(/^[a-z0-9-]{1,32}$/, 'must be letters, digits and hyphens')
    .default('oidc')
    .describe('Name of that provider in sign-in/social and in its redirect URI.'),
  RATE_LIMIT_PER_MINUTE: count(120_000).describe('Requests per minute from one API key or session.'),
  ORGANIZATION_RATE_LIMIT_PER_MINUTE: count(240_000).describe('Requests per minute from one organization.'),
  AUTH_RATE_LIMIT_PER_MINUTE: count(120).describe(
    'Requests per minute from one address to sign-in, sign-up and password reset.',
  ),
  ACCOUNT_RATE_LIMIT_PER_MINUTE: count(10).describe(
    'Wrong passwords per minute for one account from one address (for IPv6, from one /64). Also the requests per minute ' +
      'for mails to its e-mail address, from all addresses.',
  ),
  ACCOUNT_STRANGERS_RATE_LIMIT_PER_MINUTE: count(100).describe(
    'Wrong passwords per minute for one account, from all addresses that have no session of that account.',
  ),
  MAILS_TO_ADDRESS_PER_DAY: count(20).describe(
    'Mails a day to one e-mail address that confirm it or reset its password, sign-ups included.',
  ),
  INVITATIONS_TO_ADDRESS_PER_DAY: count(5).describe(
    'Invitations per day to one e-mail address, from all inviters together. Each sends a mail.',
  ),
  INVITATIONS_BY_USER_PER_DAY: count(100).describe('Invitations per day by one user.'),
  ORGANIZATIONS_PER_USER: count(10).describe(
    'A user who owns this many organizations cannot create another one.',
  ),
  LIVE_KEY_DAYS: z.coerce
    .number()
    .int()
    .positive()
    .max(3650)
    .optional()
    .describe(
      'After how many days a live API key expires that is created without `expiresAt`. Unset: it does not expire.',
    ),
  OTEL_EXPORTER_OTLP_ENDPOINT: url
    .optional()
    .describe(
      'URL of an OpenTelemetry collector (OTLP over HTTP, without /v1/traces) to which an API and a worker export ' +
        'traces. Unset: no traces, and nothing of OpenTelemetry is loaded but its interface.',
    ),
  OTEL_EXPORTER_OTLP_HEADERS: text.describe(
    'Headers of these exports, for example Authorization=Bearer%20…; comma-separated, values percent-encoded.',
  ),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(1)
    .describe(
      'Share of new traces that is recorded, from 0 to 1. For a request with a `traceparent`, its caller decides.',
    ),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('Minimum level of the JSON log on standard output.'),
});

type Variables = z.output<typeof variables>;
type Name = keyof Variables;

const databaseNames = ['DATABASE_URL', 'DATABASE_POOL_SIZE', 'LOG_LEVEL'] as const satisfies Name[];
const sealingNames = [
  'SECURITY_CODE_PEPPER',
  'SECURITY_CODE_PREVIOUS_PEPPER',
  'SEALING_KEYS',
] as const satisfies Name[];
const metricsNames = ['METRICS_HOST', 'METRICS_PORT'] as const satisfies Name[];
const tracingNames = [
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_TRACES_SAMPLER_ARG',
] as const satisfies Name[];
const temporalTlsNames = [
  'TEMPORAL_TLS',
  'TEMPORAL_TLS_CA',
  'TEMPORAL_TLS_CERT',
  'TEMPORAL_TLS_KEY',
  'TEMPORAL_API_KEY',
] as const satisfies Name[];
const serviceNames = [
  ...databaseNames,
  ...metricsNames,
  ...tracingNames,
  'HOST',
  'PORT',
  'BASE_URL',
  'BATCH_WAIT_MS',
  'OUTCOME_WAIT_MS',
  'DISPATCH_WAIT_MS',
  'TEMPORAL_ADDRESS',
  'TEMPORAL_NAMESPACE',
  ...temporalTlsNames,
  'GATEWAY_TOKEN',
  'WEBHOOK_ALLOWED_HOSTS',
  ...sealingNames,
] as const satisfies Name[];
const apiNames = [
  ...serviceNames,
  'GATEWAY_PREVIOUS_TOKEN',
  'TEMPORAL_UI_URL',
  'REUSE_PORT',
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
  'LIVE_KEY_DAYS',
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
const simulatorNames = [
  ...metricsNames,
  ...['HOST', 'PORT', 'BASE_URL', 'SIMULATOR_PORT', 'LOG_LEVEL'],
] as const satisfies Name[];

export type Environment = Record<string, string | undefined>;
export type TrustedProxies = Variables['TRUST_PROXY'];
export type DatabaseConfig = Pick<Variables, (typeof databaseNames)[number]>;
export type RestoreConfig = DatabaseConfig & Pick<Variables, 'SUBMISSION_DOUBT_SECONDS'>;
export type ResealConfig = DatabaseConfig & Pick<Variables, (typeof sealingNames)[number]>;
export type ApiConfig = Pick<Variables, (typeof apiNames)[number]> & { BASE_URL: string };
export type WorkerConfig = Pick<Variables, (typeof workerNames)[number]> & { BASE_URL: string };
export type SimulatorConfig = {
  host: string;
  port: number;
  callbackBaseUrl: string;
  logLevel: string;
  metrics: { host: string; port: number | undefined };
};

/** Returns the configuration for `npm run migrate`. Throws ConfigError. */
export function loadDatabaseConfig(environment: Environment = process.env): DatabaseConfig {
  return read(databaseNames, environment);
}

/** Returns the configuration for `npm run restore`. Throws ConfigError. */
export function loadRestoreConfig(environment: Environment = process.env): RestoreConfig {
  return read([...databaseNames, 'SUBMISSION_DOUBT_SECONDS'], environment);
}

/** Returns the configuration for `npm run reseal`. Throws ConfigError. */
export function loadResealConfig(environment: Environment = process.env): ResealConfig {
  return read([...databaseNames, ...sealingNames], environment);
}

/** Returns the configuration for the API process. Throws ConfigError. */
export function loadApiConfig(environment: Environment = process.env): ApiConfig {
  return withBaseUrl(read(apiNames, environment));
}

/** Returns the configuration for a worker process. Throws ConfigError. */
export function loadWorkerConfig(environment: Environment = process.env): WorkerConfig {
  return withBaseUrl(read(workerNames, environment));
}

/** Returns the configuration for the simulator process. Throws ConfigError. */
export function loadSimulatorConfig(environment: Environment = process.env): SimulatorConfig {
  const values = withBaseUrl(read(simulatorNames, environment));
  return {
    host: values.HOST,
    port: values.SIMULATOR_PORT,
    callbackBaseUrl: values.BASE_URL,
    logLevel: values.LOG_LEVEL,
    metrics: { host: values.METRICS_HOST, port: values.METRICS_PORT },
  };
}

function read<N extends Name>(names: readonly N[], environment: Environment): Pick<Variables, N> {
  const picked = variables.pick(Object.fromEntries(names.map((name) => [name, true])) as Record<Name, true>);
  // In compose files an unset variable is often empty, so an empty variable counts as unset.
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
  // 0.0.0.0 and :: mean all addresses: the API can listen on them, but clients cannot connect to them.
  const reachable = values.HOST === '0.0.0.0' || values.HOST === '::' ? '127.0.0.1' : values.HOST;
  const host = reachable.includes(':') ? `[${reachable}]` : reachable;
  return { ...values, BASE_URL: values.BASE_URL ?? `http://${host}:${values.PORT}` };
}
