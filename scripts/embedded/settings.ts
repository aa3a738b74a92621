import { resolve } from 'node:path';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { ConfigError, variables } from '../../src/config.ts';

/** The variables that `npm start` itself reads. Only it uses DATA_DIR: no part of the service keeps files. */
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
 * What the embedded service allows while only this machine can reach it, by variable. Unless the operator allows it,
 * strangers must not create accounts, read tokens of accounts in the log, or make the service call programs on this
 * machine.
 */
export const demoComforts = {
  ALLOW_SIGN_UP: {
    value: 'true',
    withheld: 'false',
    allows: 'anyone who can reach the API may create an account',
  },
  MAIL_TO_LOG: {
    value: 'true',
    withheld: 'false',
    allows: 'mails, including their tokens, are written to the log',
  },
  WEBHOOK_ALLOWED_HOSTS: {
    value: 'localhost,127.0.0.1',
    withheld: '',
    allows: 'webhooks can reach programs on this machine',
  },
} as const;

export type DemoVariable = keyof typeof demoComforts;

/** The settings of `npm start` itself. All other variables of the environment are passed to its parts. */
export interface StartSettings {
  port: number;
  host: string;
  /** The URL at which callbacks and people reach the API. */
  baseUrl: string;
  /** The URL at which this machine reaches the API, independent of BASE_URL. */
  localUrl: string;
  dataDir: string;
  temporalNamespace: string;
  /** Set if the operator supplies this part; it is then not started. */
  databaseUrl: string | undefined;
  temporalAddress: string | undefined;
  gatewayUrl: string | undefined;
  gatewayToken: string | undefined;
  authSecret: string | undefined;
  securityCodePepper: string | undefined;
  simulatorUrl: string | undefined;
  /** Variables that make the demo easy to try: the operator's values, or the defaults. */
  demoVariables: Record<DemoVariable, string>;
  /** The demo variables that are off because HOST lets strangers reach the API. */
  withheld: DemoVariable[];
  /** The environment of the parts: the operator's environment without empty variables. */
  environment: Record<string, string>;
}

/**
 * Reads the variables of `npm start`. An empty variable counts as unset.
 *
 * @param isLoopback whether only this machine reaches a server that listens on a host
 * @throws ConfigError that names every invalid variable
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
      'GATEWAY_TOKEN is not set. It is required if you set DATABASE_URL: the secret of the ' +
        "gateway's callbacks, at least 8 characters.",
    );
  }
  if (environment.DATABASE_URL !== undefined && environment.AUTH_SECRET === undefined) {
    problems.push(
      'AUTH_SECRET is not set. It is required if you set DATABASE_URL: at least 32 random characters, the same ' +
        'for every process. `openssl rand -base64 32` generates them.',
    );
  }
  if (environment.DATABASE_URL !== undefined && environment.SECURITY_CODE_PEPPER === undefined) {
    problems.push(
      'SECURITY_CODE_PEPPER is not set. It is required if you set DATABASE_URL: at least 32 random characters, ' +
        'the same for every process. `openssl rand -base64 32` generates them.',
    );
  }
  if (!result.success || problems.length > 0) {
    throw new ConfigError(`The configuration is invalid:\n  ${problems.join('\n  ')}`);
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
    // With the operator's own database, the defaults of production apply: empty counts as unset.
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

/** A name other than `localhost` may have any address. */
export function isLoopbackHost(host: string): boolean {
  if (host.toLowerCase() === 'localhost') return true;
  return ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback';
}

// A server that listens on all addresses can be reached on the loopback address.
function reachableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
