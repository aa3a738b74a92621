import { SmsApiError, SmsConnectionError } from './errors.ts';

/**
 * When a request may be repeated: `always` if it changes nothing, or if its Idempotency-Key makes the repetition
 * harmless; `if-nothing-done` if it changes something and the service could do it twice.
 */
export type Repeatable = 'always' | 'if-nothing-done';

/** The longest pause before the first and before later repetitions: it doubles each time, up to the maximum. */
const [firstPauseMs, longestPauseMs] = [500, 8_000];

/** A Retry-After beyond this is the caller's to decide: a call that sleeps for an hour helps nobody. */
const longestRetryAfterSeconds = 60;

/**
 * Returns how long to wait before a failed request is repeated, in milliseconds; undefined if it must not be repeated.
 *
 * @param error what the attempt failed with
 * @param repetition the number of repetitions so far
 * @param random a number from 0 up to, but not including, 1
 */
export function pauseBeforeRepetition(
  error: unknown,
  repeatable: Repeatable,
  repetition: number,
  random: number = Math.random(),
): number | undefined {
  if (!isWorthRepeating(error) || (repeatable !== 'always' && !isCertainlyUndone(error))) return undefined;
  const ownPauseMs = jitteredPauseMs(repetition, random);
  const retryAfterSeconds = error instanceof SmsApiError ? error.retryAfterSeconds : null;
  if (retryAfterSeconds === null) return ownPauseMs;
  if (retryAfterSeconds > longestRetryAfterSeconds) return undefined;
  // The jitter is added, because clients that were refused together should not come back together.
  return retryAfterSeconds * 1000 + ownPauseMs;
}

/**
 * Full jitter: any time up to a limit that doubles with each repetition. Clients that failed at the same moment spread
 * over the whole time instead of coming back in waves.
 */
export function jitteredPauseMs(repetition: number, random: number): number {
  return random * Math.min(longestPauseMs, firstPauseMs * 2 ** repetition);
}

/** Whether another attempt could succeed without a change by the caller. */
export function isWorthRepeating(error: unknown): error is SmsApiError | SmsConnectionError {
  if (error instanceof SmsConnectionError) return true;
  if (!(error instanceof SmsApiError)) return false;
  // The first request with the same key is still in progress; its answer is the one that is wanted.
  if (error.code === 'idempotency_in_progress') return true;
  return error.status === 429 || error.status >= 500;
}

/** Whether the service has certainly not acted on the request. */
function isCertainlyUndone(error: SmsApiError | SmsConnectionError): boolean {
  if (error instanceof SmsConnectionError) return !error.mayHaveArrived;
  // `unavailable` means that nothing was accepted. A 503 of a proxy means nothing of the kind.
  return error.status === 429 || error.code === 'unavailable';
}

/** Waits. Rejects with the reason of the signal when it is aborted. */
export async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal!.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
