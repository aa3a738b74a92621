/** Seconds to wait after the first, second, … attempt that the gateway could not take; the last one stays. */
const delaysSeconds = [1, 2, 5, 10, 20, 30, 60, 120, 300] as const;

/**
 * When a message that the gateway could not take is tried again.
 *
 * The moment is rounded up to a grid of half the delay, so that the messages of a dispatch come due together
 * and wake their workflow once, not each for itself.
 *
 * @param attempts how many attempts were made, at least 1
 */
export function nextSubmissionAt(attempts: number, now: Date): Date {
  const delaySeconds = delaysSeconds[Math.min(attempts, delaysSeconds.length) - 1]!;
  const gridMs = delaySeconds * 500;
  return new Date(Math.ceil((now.getTime() + delaySeconds * 1000) / gridMs) * gridMs);
}
