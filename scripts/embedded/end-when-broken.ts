import { setTimeout as delay } from 'node:timers/promises';
import { messageOf } from './errors.ts';

const askEverySeconds = 10;
/** After this many errors without a success in between, the server counts as broken. */
const mostErrors = 6;

/** gRPC codes that say nothing about the server's state: CANCELLED, DEADLINE_EXCEEDED. */
const codesWithoutAnswer = new Set([1, 4]);

/**
 * Ends a Temporal server that answers with nothing but errors, so that its supervisor starts it again. It is asked until
 * it has exited.
 *
 * On an overloaded machine, a request that runs out of time can interrupt the statement of SQLite's only connection. In
 * version 1.5.1 of the CLI, every later statement may then fail with `interrupted (9)` for as long as the server runs, and
 * no workflow makes progress. A restart corrects this and loses nothing: the state is in the file.
 *
 * A server that does not answer in time is not ended. It is busy, and a restart would give it more to do.
 *
 * @param server.ask calls the server; rejects with a gRPC error if it refuses, or with another error if it is not reached
 */
export async function endWhenBroken(
  server: {
    ask: () => Promise<void>;
    exited: Promise<unknown>;
    end: () => Promise<void>;
    log: (line: string) => void;
  },
  pause: () => Promise<unknown> = () => delay(askEverySeconds * 1000, undefined, { ref: false }),
): Promise<void> {
  let hasExited = false;
  void server.exited.then(() => (hasExited = true));
  let errors = 0;
  for (;;) {
    await Promise.race([pause(), server.exited]);
    if (hasExited) return;
    try {
      await server.ask();
      errors = 0;
    } catch (error) {
      if (!isAnswer(error)) continue;
      errors += 1;
      if (errors < mostErrors) continue;
      server.log(`answers with errors only (${messageOf(error)}); it is ended, so that it starts again`);
      await server.end();
      return;
    }
  }
}

/** Whether the server answered: a gRPC error that is not about the time of the call. */
function isAnswer(error: unknown): boolean {
  if (typeof error !== 'object' || error === null || !('code' in error)) return false;
  return typeof error.code === 'number' && !codesWithoutAnswer.has(error.code);
}
