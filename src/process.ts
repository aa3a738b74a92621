import { ConfigError } from './config.ts';

/** sysexits.h EX_CONFIG: starting again with the same variables would fail again. */
export const exitCodeForBadConfiguration = 78;

/** Runs a command that ends by itself; a bad configuration is told without a stack and with a code of its own. */
export async function runToEnd(main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(exitCodeForBadConfiguration);
  }
}

/**
 * Runs a service until it is told to stop: by SIGINT or SIGTERM, or, when a parent started it with an IPC
 * channel, by that parent's death, so that none outlives a killed `npm start`.
 *
 * @param start starts the service and answers how to stop it; the parent hears `ready` afterwards
 */
export async function runUntilStopped(start: () => Promise<{ stop: () => Promise<void> }>): Promise<void> {
  await runToEnd(async () => {
    const service = await start();
    let stopping = false;
    const stop = (): void => {
      if (stopping) return;
      stopping = true;
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
    process.send?.('ready');
  });
}
