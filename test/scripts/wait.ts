import { setTimeout as delay } from 'node:timers/promises';

/** Waits until a condition holds; fails when it does not within the time. */
export async function waitUntil(condition: () => boolean, timeoutMs = 10_000): Promise<void> {
  const giveUpAt = Date.now() + timeoutMs;
  while (!condition()) {
    if (Date.now() > giveUpAt) throw new Error(`Not within ${timeoutMs} ms: ${condition.toString()}`);
    await delay(20);
  }
}
