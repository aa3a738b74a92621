/** Seconds to wait after the first, second, … attempt that the gateway could not accept. The last value repeats. */
const delaysSeconds = [1, 2, 5, 10, 20, 30, 60, 120, 300] as const;

/**
 * Returns when to retry a message that the gateway could not accept.
 *
 * The time is rounded up to a multiple of half the delay, so that the messages of a dispatch become due together and
 * wake their workflow once, not once for each message.
 *
 * @param attempts the number of attempts made, at least 1
 */
export function nextSubmissionAt(attempts: number, now: Date): Date {
  const delaySeconds = delaysSeconds[Math.min(attempts, delaysSeconds.length) - 1]!;
  const gridMs = delaySeconds * 500;
  return new Date(Math.ceil((now.getTime() + delaySeconds * 1000) / gridMs) * gridMs);
}
