import { pino, type Logger } from 'pino';

export type Log = Logger;

/**
 * The process's log: JSON lines on standard output. A line carries ids, statuses and codes, never a number,
 * a text, a code or a secret (contract section 3).
 */
export function createLog(process: 'api' | 'worker' | 'migrate' | 'simulator' | 'start', level: string): Log {
  return pino({ level, base: { process }, timestamp: pino.stdTimeFunctions.isoTime });
}
