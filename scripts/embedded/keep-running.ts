import { setTimeout as delay } from 'node:timers/promises';
import { messageOf } from './errors.ts';
import type { ProcessExit } from './managed-process.ts';

/** EX_CONFIG of sysexits.h, see src/process.ts: a restart with the same variables would fail in the same way. */
const badConfiguration = 78;
const firstPauseMs = 500;
const longestPauseMs = 30_000;
/** A part that has run this long is healthy, and its next failure counts as a new one. */
const wellAfterMs = 10_000;
/** After this number of attempts, a part that has never been ready is given up. */
const firstAttempts = 3;

export interface Part {
  exited: Promise<ProcessExit>;
}

export interface KeepRunningOptions {
  name: string;
  /** Resolves when the part is ready, rejects if it does not become ready. */
  start: () => Promise<Part>;
  /** Distinguishes a requested end from an unexpected one. */
  isStopping: () => boolean;
  /** Receives the reason why the part cannot continue: it refuses its configuration. */
  markFailed: (reason: string) => void;
  log: (line: string) => void;
}

/**
 * Starts a part and restarts it, after a growing pause, whenever it ends by itself.
 *
 * @returns when the part is ready for the first time
 * @throws Error of the last attempt, if the part never becomes ready
 */
export async function keepRunning(options: KeepRunningOptions): Promise<void> {
  const first = await startFirst(options);
  void watch(first, options);
}

/** Thrown by `start` if the part refuses its configuration. */
export class BadConfiguration extends Error {
  override name = 'BadConfiguration';
}

/** Describes an exit in words. */
export function describeExit({ code, signal }: ProcessExit): string {
  return signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`;
}

export function refusesConfiguration({ code }: ProcessExit): boolean {
  return code === badConfiguration;
}

async function startFirst(options: KeepRunningOptions): Promise<Part> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await options.start();
    } catch (error) {
      if (error instanceof BadConfiguration || attempt === firstAttempts || options.isStopping()) throw error;
      options.log(`${messageOf(error)}; starting it again`);
      await delay(firstPauseMs);
    }
  }
}

async function watch(first: Part, options: KeepRunningOptions): Promise<void> {
  let part: Part | undefined = first;
  let pauseMs = firstPauseMs;
  while (true) {
    const startedAt = Date.now();
    let reason = 'did not start';
    if (part !== undefined) {
      const exit = await part.exited;
      if (options.isStopping()) return;
      if (refusesConfiguration(exit)) {
        options.markFailed(`${options.name} refuses its configuration.`);
        return;
      }
      reason = describeExit(exit);
    }
    if (Date.now() - startedAt > wellAfterMs) pauseMs = firstPauseMs;
    options.log(`${options.name} ${reason}; starting it again in ${pauseMs / 1000} s`);
    await delay(pauseMs);
    if (options.isStopping()) return;
    pauseMs = Math.min(pauseMs * 2, longestPauseMs);
    part = await options.start().catch((error: unknown) => {
      options.log(messageOf(error));
      return undefined;
    });
  }
}
