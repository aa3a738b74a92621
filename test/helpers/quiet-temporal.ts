import { DefaultLogger, Runtime } from '@temporalio/worker';

let isInstalled = false;

/**
 * Makes the SDK log only errors. A process has one runtime, and may have run another test file before this one.
 *
 * The SDK's client repeats a failed call from a timer. If its connection was closed meanwhile, as at the end of a test
 * file, it throws there, where no caller can catch it.
 */
export function quietTemporal(): void {
  if (isInstalled) return;
  isInstalled = true;
  process.on('uncaughtException', (error) => {
    if (!error.message.includes('Channel has been shut down')) throw error;
  });
  Runtime.install({ logger: new DefaultLogger('ERROR') });
}
