/** Waits for a condition. Returns the first value of `probe` that is neither false, null nor undefined. */
export async function until<T>(
  what: string,
  probe: () => Promise<T | false | null | undefined> | T | false | null | undefined,
  timeoutMs = 30_000,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const value = await probe();
    if (value !== false && value !== null && value !== undefined) return value;
    if (Date.now() > deadline) throw new Error(`Waited ${timeoutMs} ms without success for: ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
