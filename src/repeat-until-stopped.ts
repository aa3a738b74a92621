import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Does something now, and again after each pause, until it is stopped. A round that fails ends nothing: the next one
 * tries again.
 *
 * @param options.onFailure told of the first failure of an outage; of another only after a round has succeeded
 * @returns `stop`, which ends the pause at once, or aborts the round's signal and waits for the round's end
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
