/**
 * Contract section 7: how long after the one before it each attempt begins, in seconds. The first waits for
 * nothing. With all its jitter a delivery is given up after some 30 hours.
 */
export const attemptDelaysSeconds = [
  0,
  5,
  5 * 60,
  30 * 60,
  2 * 3600,
  5 * 3600,
  10 * 3600,
  10 * 3600,
] as const;

/** Each delay is made longer by up to this share, so that what failed together does not come back together. */
const jitterShare = 0.1;

export interface AttemptOutcome {
  /** HTTP status of the answer; none if none came. */
  status?: number | undefined;
  /** The answer's Retry-After, as `parseRetryAfter` gives it. */
  retryAfterSeconds?: number | undefined;
  /** What went wrong, if no whole answer came. */
  error?: string | undefined;
}

export type NextAttempt =
  | { kind: 'delivered' }
  | { kind: 'retry'; atMs: number }
  | { kind: 'dead'; reason: 'gone' | 'attempts_exhausted' };

/**
 * Decides what follows an attempt to deliver a webhook (contract section 7).
 *
 * A whole answer of 2xx is delivered, 410 dead at once: the receiver says it wants no more. Everything else,
 * redirects and answers that break off too, is tried again until the eighth attempt has failed.
 *
 * `Retry-After` puts the next attempt off, up to the interval after the one that is due: after the first
 * attempt a receiver that asks for a minute gets it instead of 5 s, one that asks for an hour gets 5 min. It
 * never brings an attempt forward: it is the least a receiver wants to be left alone (RFC 9110, 10.2.3), and a
 * receiver that always says 1 would use up eight attempts, meant for 30 hours, in eight seconds. The bound
 * keeps a receiver from parking a delivery for good. Before the last attempt it is the last interval.
 *
 * @param attemptsMade attempts since the delivery was created or redriven, the one just ended included: 1 to 8
 * @param random gives numbers of [0, 1)
 * @param nowMs when the attempt ended, Unix milliseconds
 */
export function nextAttempt(ended: {
  attemptsMade: number;
  outcome: AttemptOutcome;
  random: () => number;
  nowMs: number;
}): NextAttempt {
  const { attemptsMade, outcome, random, nowMs } = ended;
  const { status, error, retryAfterSeconds = 0 } = outcome;
  if (!Number.isInteger(attemptsMade) || attemptsMade < 1) {
    throw new RangeError(`attemptsMade counts the attempt just ended, so it cannot be ${attemptsMade}`);
  }
  if (error === undefined && status !== undefined && status >= 200 && status < 300)
    return { kind: 'delivered' };
  if (status === 410) return { kind: 'dead', reason: 'gone' };

  const interval = attemptDelaysSeconds[attemptsMade];
  if (interval === undefined) return { kind: 'dead', reason: 'attempts_exhausted' };
  const longest = attemptDelaysSeconds[attemptsMade + 1] ?? interval;
  const delaySeconds = Math.max(interval, Math.min(retryAfterSeconds, longest));
  return { kind: 'retry', atMs: nowMs + Math.round(delaySeconds * 1000 * (1 + jitterShare * random())) };
}

/** The three forms of an HTTP-date (RFC 9110, 5.6.7); a recipient must take all of them. */
const httpDates = [
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
];

/**
 * Reads a Retry-After header (RFC 9110, 10.2.3): whole seconds, or an HTTP-date.
 *
 * @returns seconds from `nowMs`, rounded up so that no attempt comes early, 0 for a date that has passed;
 *   undefined if there is no header or it is neither form: then the schedule goes on as without it.
 */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
  if (!httpDates.some((form) => form.test(text))) return undefined;
  // The asctime form names no zone and means GMT; Date.parse would take it for local time.
  const atMs = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(atMs) ? undefined : Math.max(0, Math.ceil((atMs - nowMs) / 1000));
}
