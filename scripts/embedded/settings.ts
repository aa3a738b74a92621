import { resolve } from 'node:path';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { ConfigError, variables } from '../../src/config.ts';

/** The variables `npm start` decides by. DATA_DIR is its alone: no part of the service keeps files. */
export const startVariables = variables
  .pick({ PORT: true, HOST: true, BASE_URL: true, TEMPORAL_NAMESPACE: true })
  .extend({
    DATA_DIR: z
      .string()
      .default('.data')
      .describe(
        'Directory in which `npm start` keeps the embedded servers, their data and demo.json; closed to other users.',
      ),
  });

/**
 * What the embedded service allows while only this machine reaches it, by variable. Strangers must not make accounts,
 * read in the log how to take one over, or have the service call programs on this machine, unless the operator says so.
 */
export const demoComforts = {
  ALLOW_SIGN_UP: { value: 'true', withheld: 'false', allows: 'anyone who reaches the API makes an account' },
  MAIL_TO_LOG: { value: 'true', withheld: 'false', allows: 'mails, with the tokens in them, go to the log' },
  WEBHOOK_ALLOWED_HOSTS: {
    value: 'localhost,127.0.0.1',
    withheld: '',
    allows: 'webhooks reach programs on this machine',
  },
} as const;

export type DemoVariable = keyof typeof demoComforts;

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
  simulatorUrl: string | undefined;
  /** What makes the demo easy to try, as variables of the parts: values of the operator's, or its defaults. */
  demoVariables: Record<DemoVariable, string>;
  /** Those of them that are off because HOST lets strangers reach the API. */
  withheld: DemoVariable[];
  /** The environment of the parts: the operator's, without the variables that are empty. */
  environment: Record<string, string>;
}

/**
 * Reads the variables of `npm start`. An empty one counts as unset.
 *
 * @param isLoopback whether only this machine reaches a server that listens on a host
 * @throws ConfigError that names every variable that cannot be used
 */
export function readStartSettings(
  source: Record<string, string | undefined>,
  isLoopback: (host: string) => boolean = isLoopbackHost,
): StartSettings {
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
    simulatorUrl: environment.SIMULATOR_URL,
    ...readDemoVariables(environment, isLoopback(HOST)),
    environment,
  };
}

function readDemoVariables(
  environment: Record<string, string>,
  isReachedFromHereOnly: boolean,
): Pick<StartSettings, 'demoVariables' | 'withheld'> {
  const isEmbedded = environment.DATABASE_URL === undefined;
  const names = Object.keys(demoComforts) as DemoVariable[];
  const unset = names.filter((name) => environment[name] === undefined);
  const withheld = isEmbedded && !isReachedFromHereOnly ? unset : [];
  const valueOf = (name: DemoVariable): string => {
    const given = environment[name];
    if (given !== undefined) return given;
    // With a database of the operator's own, the defaults of production hold: empty counts as unset.
    if (!isEmbedded) return '';
    return demoComforts[name][withheld.includes(name) ? 'withheld' : 'value'];
  };
  return {
    demoVariables: Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Record<
      DemoVariable,
      string
    >,
    withheld,
  };
}

/** A name that is not `localhost` may be of any address. */
export function isLoopbackHost(host: string): boolean {
  if (host.toLowerCase() === 'localhost') return true;
  return ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback';
}

// Who listens on all addresses is reached on the loopback one.
function reachableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
