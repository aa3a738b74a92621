/** The number of concurrent callers in every scenario and in its yardstick. */
export const parallelRequests = 64;

/** Runs `work` for the indexes 0 to `count` - 1, `parallelRequests` at a time. Rejects with the first failure. */
export async function inParallel(count: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: parallelRequests }, worker));
}

/** The rate of `count` operations since `startedAtMs`, a time of `performance.now()`. */
export function perSecond(count: number, startedAtMs: number): number {
  return count / ((performance.now() - startedAtMs) / 1000);
}

/** The smallest value that is at least as large as `percent` of the values; 0 without values. */
export function percentile(values: number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? 0;
}

/**
 * Waits until a condition holds. Rejects after two minutes by default, because a bench that lost something has no
 * figures.
 */
export async function waitFor(
  name: string,
  holds: () => Promise<boolean> | boolean,
  timeoutMs = 120_000,
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`Not within ${timeoutMs / 1000} seconds: ${name}.`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
