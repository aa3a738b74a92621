import { ConfigError } from './config.ts';
import { isDatabaseUnreachable } from './database.ts';

/** A process cannot start because of something outside of it. The message says what, and what to do. */
export class StartError extends Error {
  override name = 'StartError';
}

/** A command cannot do what it was asked to. The message is for the person who runs it. Any other error is a bug. */
export class CommandError extends Error {
  override name = 'CommandError';
}

/** sysexits.h EX_CONFIG: a restart with the same variables would fail again. */
export const exitCodeForBadConfiguration = 78;

/**
 * Runs a command that ends by itself. An invalid configuration is reported without a stack and with its own exit code,
 * and so is a StartError, with exit code 1: a restart may succeed.
 */
export async function runToEnd(main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    if (!(error instanceof ConfigError || error instanceof StartError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(error instanceof ConfigError ? exitCodeForBadConfiguration : 1);
  }
}

/**
 * Runs a command of the operator on the database. A CommandError is reported by its message, without a stack, and so is a
 * database that cannot be reached. The exit code is then 1.
 */
export async function runCommand(main: () => Promise<void>): Promise<void> {
  await runToEnd(async () => {
    try {
      await main();
    } catch (error) {
      if (!(error instanceof CommandError) && !isDatabaseUnreachable(error)) throw error;
      const message =
        error instanceof CommandError ? error.message : 'The database of DATABASE_URL cannot be reached.';
      process.stderr.write(`${message}\n`);
      process.exitCode = 1;
    }
  });
}

/**
 * Runs a service until it is stopped by SIGINT or SIGTERM, or, if a parent process started it with an IPC channel, by
 * the exit of that parent, so that no service outlives a killed `npm start`.
 *
 * @param start starts the service and returns a function that stops it; afterwards the parent receives `ready`
 */
export async function runUntilStopped(start: () => Promise<{ stop: () => Promise<void> }>): Promise<void> {
  await runToEnd(async () => {
    const service = await start();
    let stopping = false;
    const stop = (): void => {
      if (stopping) return;
      stopping = true;
      // Temporal's client throws from a timer if its connection is closed while it waits to repeat a call.
      process.on('uncaughtException', (error) => {
        process.stderr.write(`An error occurred while the process stopped: ${String(error)}\n`);
      });
      service.stop().then(
        () => process.exit(0),
        (error: unknown) => {
          process.stderr.write(`The process did not stop cleanly: ${String(error)}\n`);
          process.exit(1);
        },
      );
    };
    process.on('SIGINT', stop);
    process.on('SIGTERM', stop);
    process.on('disconnect', stop);
    // The start leaves 40 MB of garbage. V8 would keep them for as long as little happens, and a plain collection does
    // not return them to the system. The function exists with --expose-gc.
    globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    process.send?.('ready');
  });
}
