/**
 * Contract section 7: how long after the previous attempt each attempt begins, in seconds. The first begins at once.
 * Including the jitter, a delivery is given up after about 30 hours.
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

/** Each delay is extended by up to this share, so that deliveries that failed together are not retried together. */
const jitterShare = 0.1;

export interface AttemptOutcome {
  /** The HTTP status; undefined if no response arrived. */
  status?: number | undefined;
  /** The Retry-After of the response, as `parseRetryAfter` returns it. */
  retryAfterSeconds?: number | undefined;
  /** The error code, if no complete response arrived. */
  error?: string | undefined;
}

export type NextAttempt =
  | { kind: 'delivered' }
  | { kind: 'retry'; atMs: number }
  | { kind: 'dead'; reason: 'gone' | 'attempts_exhausted' };

/**
 * Decides what follows an attempt to deliver a webhook.
 *
 * After a complete 2xx response the delivery is delivered. After 410 it is dead at once: the receiver wants no more
 * events. After any other result, including redirects and responses that break off, it is retried until the eighth
 * attempt has failed.
 *
 * `Retry-After` postpones the next attempt, at most to the interval after the next one in the schedule. After the first
 * attempt, a receiver that requests a minute gets a minute instead of 5 s; a receiver that requests an hour gets 5 min.
 * `Retry-After` never brings an attempt forward: it is the minimum time that the receiver wants to wait (RFC 9110,
 * 10.2.3), and a receiver that always sends 1 would use up eight attempts, meant for 30 hours, in eight seconds. The
 * limit prevents a receiver from postponing a delivery forever. Before the last attempt the limit is the last interval.
 *
 * @param attemptsMade attempts since the delivery was created or redriven, including the one just ended: 1 to 8
 * @param random returns numbers in [0, 1)
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

/** The three forms of an HTTP-date (RFC 9110, 5.6.7). A recipient must accept all of them. */
const httpDates = [
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
];

/**
 * Reads a Retry-After header (RFC 9110, 10.2.3): whole seconds, or an HTTP-date.
 *
 * @returns seconds from `nowMs`, rounded up so that no attempt is early; 0 for a date in the past; undefined if the
 *   header is missing or has neither form: then the schedule ignores it.
 */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
  if (!httpDates.some((form) => form.test(text))) return undefined;
  // The asctime form has no time zone and means GMT. Date.parse would read it as local time.
  const atMs = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(atMs) ? undefined : Math.max(0, Math.ceil((atMs - nowMs) / 1000));
}
