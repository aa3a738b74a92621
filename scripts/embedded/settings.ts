import { resolve } from 'node:path';
import { z } from 'zod';
import { ConfigError, variables } from '../../src/config.ts';

/** The variables `npm start` decides by. DATA_DIR is its alone: no part of the service keeps files. */
export const startVariables = variables
  .pick({ PORT: true, HOST: true, BASE_URL: true, TEMPORAL_NAMESPACE: true })
  .extend({
    DATA_DIR: z
      .string()
      .default('.data')
      .describe('Directory in which `npm start` keeps the embedded servers, their data and demo.json.'),
  });

/** What `npm start` itself decides by; everything else in the environment is passed on to its parts. */
export interface StartSettings {
  port: number;
  host: string;
  /** How callbacks and people reach the API. */
  baseUrl: string;
  /** How this machine reaches the API, whatever BASE_URL says. */
  localUrl: string;
  dataDir: string;
  temporalNamespace: string;
  /** Set by the operator: that part is his and is not started. */
  databaseUrl: string | undefined;
  temporalAddress: string | undefined;
  gatewayUrl: string | undefined;
  gatewayToken: string | undefined;
  authSecret: string | undefined;
  securityCodePepper: string | undefined;
  mailToLog: string | undefined;
  simulatorUrl: string | undefined;
  webhookAllowedHosts: string | undefined;
  /** The environment of the parts: the operator's, without the variables that are empty. */
  environment: Record<string, string>;
}

/**
 * Reads the variables of `npm start`. An empty one counts as unset.
 *
 * @throws ConfigError that names every variable that cannot be used
 */
export function readStartSettings(source: Record<string, string | undefined>): StartSettings {
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(source)) {
    if (value !== undefined && value !== '') environment[name] = value;
  }
  const result = startVariables.safeParse(environment);
  const problems = result.success
    ? []
    : result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  if (environment.DATABASE_URL !== undefined && environment.GATEWAY_TOKEN === undefined) {
    problems.push(
      'GATEWAY_TOKEN is not set. With a DATABASE_URL of your own it is required: the secret, at least 8 ' +
        "characters, that the gateway's callbacks carry.",
    );
  }
  if (environment.DATABASE_URL !== undefined && environment.AUTH_SECRET === undefined) {
    problems.push(
      'AUTH_SECRET is not set. With a DATABASE_URL of your own it is required: at least 32 random characters, ' +
        'the same for every process, as `openssl rand -base64 32` makes them.',
    );
  }
  if (environment.DATABASE_URL !== undefined && environment.SECURITY_CODE_PEPPER === undefined) {
    problems.push(
      'SECURITY_CODE_PEPPER is not set. With a DATABASE_URL of your own it is required: at least 32 random ' +
        'characters, the same for every process, as `openssl rand -base64 32` makes them.',
    );
  }
  if (!result.success || problems.length > 0) {
    throw new ConfigError(`The configuration cannot be used:\n  ${problems.join('\n  ')}`);
  }
  const { PORT, HOST, BASE_URL, DATA_DIR, TEMPORAL_NAMESPACE } = result.data;
  const localUrl = `http://${reachableHost(HOST)}:${PORT}`;
  return {
    port: PORT,
    host: HOST,
    baseUrl: BASE_URL ?? localUrl,
    localUrl,
    dataDir: resolve(DATA_DIR),
    temporalNamespace: TEMPORAL_NAMESPACE,
    databaseUrl: environment.DATABASE_URL,
    temporalAddress: environment.TEMPORAL_ADDRESS,
    gatewayUrl: environment.GATEWAY_URL,
    gatewayToken: environment.GATEWAY_TOKEN,
    authSecret: environment.AUTH_SECRET,
    securityCodePepper: environment.SECURITY_CODE_PEPPER,
    mailToLog: environment.MAIL_TO_LOG,
    simulatorUrl: environment.SIMULATOR_URL,
    webhookAllowedHosts: environment.WEBHOOK_ALLOWED_HOSTS,
    environment,
  };
}

// Who listens on all addresses is reached on the loopback one.
function reachableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
