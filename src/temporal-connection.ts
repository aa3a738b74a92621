import { readFileSync } from 'node:fs';
import type { TLSConfig } from '@temporalio/client';
import { ConfigError, type ApiConfig } from './config.ts';

/** How to reach Temporal. The client and the worker of Temporal's SDK take the same options. */
export interface TemporalConnection {
  address: string;
  tls?: TLSConfig;
  /** Sent with every call as `authorization: Bearer …`. */
  apiKey?: string;
}

type Settings = Pick<
  ApiConfig,
  | 'TEMPORAL_ADDRESS'
  | 'TEMPORAL_TLS'
  | 'TEMPORAL_TLS_CA'
  | 'TEMPORAL_TLS_CERT'
  | 'TEMPORAL_TLS_KEY'
  | 'TEMPORAL_API_KEY'
>;

/**
 * Reads the certificates and the key that the configuration names.
 *
 * @throws ConfigError if a file cannot be read, or if a variable is set that has no effect without another one: a
 *   certificate or an API key without TLS would be left out, or sent in clear text
 */
export function temporalConnectionOf(config: Settings): TemporalConnection {
  const { TEMPORAL_TLS_CERT: certificateFile, TEMPORAL_TLS_KEY: keyFile, TEMPORAL_API_KEY: apiKey } = config;
  if (!config.TEMPORAL_TLS) {
    const needsTls = [
      'TEMPORAL_TLS_CA',
      'TEMPORAL_TLS_CERT',
      'TEMPORAL_TLS_KEY',
      'TEMPORAL_API_KEY',
    ] as const;
    const set = needsTls.filter((name) => config[name] !== undefined);
    if (set.length > 0) throw problem(`${set.join(', ')}: set TEMPORAL_TLS=true as well`);
    return { address: config.TEMPORAL_ADDRESS };
  }
  if ((certificateFile === undefined) !== (keyFile === undefined))
    throw problem('TEMPORAL_TLS_CERT and TEMPORAL_TLS_KEY: set both, or neither');
  return {
    address: config.TEMPORAL_ADDRESS,
    tls: {
      ...(config.TEMPORAL_TLS_CA !== undefined && {
        serverRootCACertificate: readPem('TEMPORAL_TLS_CA', config.TEMPORAL_TLS_CA),
      }),
      ...(certificateFile !== undefined &&
        keyFile !== undefined && {
          clientCertPair: {
            crt: readPem('TEMPORAL_TLS_CERT', certificateFile),
            key: readPem('TEMPORAL_TLS_KEY', keyFile),
          },
        }),
    },
    ...(apiKey !== undefined && { apiKey }),
  };
}

function readPem(name: string, file: string): Buffer {
  let content: Buffer;
  try {
    content = readFileSync(file);
  } catch (error) {
    throw problem(`${name}: ${(error as Error).message}`);
  }
  if (!content.includes('-----BEGIN ')) throw problem(`${name}: ${file} is not a PEM file`);
  return content;
}

function problem(text: string): ConfigError {
  return new ConfigError(`The configuration cannot be used:\n  ${text}`);
}
