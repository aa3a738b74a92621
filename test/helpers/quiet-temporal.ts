import { DefaultLogger, Runtime } from '@temporalio/worker';

let isInstalled = false;

/** Has the SDK log errors only. A process has one runtime, and may have had another test file before this one. */
export function quietTemporal(): void {
  if (isInstalled) return;
  isInstalled = true;
  Runtime.install({ logger: new DefaultLogger('ERROR') });
}
