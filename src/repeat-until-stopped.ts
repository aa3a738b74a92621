import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Runs a round now, and again after each pause, until it is stopped. If a round fails, the next one tries again.
 *
 * @param options.onFailure called for the first failure of an outage; called again only after a round has succeeded
 * @returns `stop`, which ends a pause at once, or aborts the round's signal and waits for the end of the round
 */
export function repeatUntilStopped(options: {
  round: (stopping: AbortSignal) => Promise<unknown>;
  pauseMs: number;
  onFailure: (error: unknown) => void;
}): { stop: () => Promise<void> } {
  const { round, pauseMs, onFailure } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const loop = (async () => {
    let isFailing = false;
    while (!signal.aborted) {
      try {
        await round(signal);
        isFailing = false;
      } catch (error) {
        if (!isFailing) onFailure(error);
        isFailing = true;
      }
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  })();
  return {
    stop: () => {
      stopping.abort();
      return loop;
    },
  };
}
