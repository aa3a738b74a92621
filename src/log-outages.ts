import type { Log } from './log.ts';

/** A part that does not work is logged at most this often. */
const repeatMs = 60_000;

/** Logs the outages of one part, for example of the gateway. */
export interface OutageLog {
  succeeded: () => void;
  /** @param reason a code, or an error; never personal data */
  failed: (reason: unknown) => void;
}

/**
 * Creates a log that warns when a part stops working, and when it works again. While the part fails, one warning a
 * minute has the number of failures. A part that fails and works in turns causes no more than two warnings a minute.
 *
 * @param fields the fields of each line, for example the route
 */
export function createOutageLog(
  log: Pick<Log, 'warn'>,
  part: string,
  fields: Record<string, unknown> = {},
  nowMs: () => number = () => performance.now(),
): OutageLog {
  let failures = 0;
  let failingSinceMs: number | null = null;
  let warnedAtMs = -Infinity;
  let isWarned = false;

  return {
    succeeded: () => {
      if (failingSinceMs === null) return;
      const outageSeconds = Math.round((nowMs() - failingSinceMs) / 1000);
      if (isWarned) log.warn({ ...fields, failures, outageSeconds }, `${part} works again`);
      failingSinceMs = null;
      isWarned = false;
      failures = 0;
    },
    failed: (reason) => {
      failures += 1;
      failingSinceMs ??= nowMs();
      if (nowMs() - warnedAtMs < repeatMs) return;
      warnedAtMs = nowMs();
      isWarned = true;
      const why = reason instanceof Error ? { err: reason } : { reason };
      log.warn({ ...fields, failures, ...why }, `${part} does not work; what it is needed for is retried`);
    },
  };
}
