import { pino, type Logger, type LoggerOptions } from 'pino';
import { toSafeError } from './safe-error.ts';

export type Log = Logger;

/** The options for every log, with any destination: an error is reduced to its safe fields. */
export const logOptions: LoggerOptions = {
  timestamp: pino.stdTimeFunctions.isoTime,
  serializers: { err: toSafeError },
};

/**
 * Creates the log of a process: JSON lines on standard output. A line contains ids, statuses and codes, never a phone
 * number, a text, a security code or a secret.
 */
export function createLog(process: 'api' | 'worker' | 'migrate' | 'simulator', level: string): Log {
  return pino({ ...logOptions, level, base: { process } });
}
