import { pino, type Logger, type LoggerOptions } from 'pino';
import { toSafeError } from './safe-error.ts';

export type Log = Logger;

/** How lines are written, wherever they go: an error is reduced to what may be told of it. */
export const logOptions: LoggerOptions = {
  timestamp: pino.stdTimeFunctions.isoTime,
  serializers: { err: toSafeError },
};

/**
 * The process's log: JSON lines on standard output. A line carries ids, statuses and codes, never a number,
 * a text, a code or a secret (contract section 3).
 */
export function createLog(process: 'api' | 'worker' | 'migrate' | 'simulator', level: string): Log {
  return pino({ ...logOptions, level, base: { process } });
}
