import { DefaultLogger, Runtime } from '@temporalio/worker';

let isInstalled = false;

/** Makes the SDK log only errors. A process has one runtime, and may have run another test file before this one. */
export function quietTemporal(): void {
  if (isInstalled) return;
  isInstalled = true;
  Runtime.install({ logger: new DefaultLogger('ERROR') });
}
