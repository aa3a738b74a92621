import { chmodSync, readdirSync, renameSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startProcess } from './managed-process.ts';

export type SdkExecutable = 'temporal' | 'temporal-test-server';

/** How long the download may make no progress: before it begins, and then between two pieces. */
const stallSeconds = 10;

const program = join(dirname(fileURLToPath(import.meta.url)), 'sdk-download-process.ts');

/**
 * Downloads an executable with the Temporal SDK. The SDK has no time limit and runs native code that cannot be
 * interrupted, so it runs in a separate process, which is stopped if no bytes arrive. If the download is unreachable,
 * this takes between no time (no name service) and `stallSeconds` (dropped packets).
 *
 * @param directory receives the file `executable`; must be empty
 * @throws Error with the reason if the download did not complete
 */
export async function downloadWithSdk(
  executable: SdkExecutable,
  version: string,
  directory: string,
): Promise<void> {
  const printed: string[] = [];
  const download = await startProcess({
    name: 'download',
    command: process.execPath,
    arguments: [program, executable, version, directory],
    stopSignal: 'SIGKILL',
    graceSeconds: 1,
    onLine: (line) => printed.push(line),
  });
  let isStalled = false;
  let bytes = 0;
  let changedAt = Date.now();
  const watch = setInterval(() => {
    const now = countBytes(directory);
    if (now !== bytes) changedAt = Date.now();
    bytes = now;
    isStalled = Date.now() - changedAt > stallSeconds * 1000;
    if (isStalled) void download.stop();
  }, 250);
  await download.exited.finally(() => clearInterval(watch));
  if (isStalled) throw new Error(`nothing arrived within ${stallSeconds} s`);
  const file = readdirSync(directory).find(
    (name) => name.startsWith(executable) && !name.endsWith('.downloading'),
  );
  if (file === undefined) throw new Error(lastCause(printed));
  renameSync(join(directory, file), join(directory, executable));
  chmodSync(join(directory, executable), 0o755);
}

// The SDK prints a chain of errors in one line. The two innermost errors name the cause.
function lastCause(printed: string[]): string {
  const line = printed.findLast((text) => text.includes('Error: ')) ?? 'it ended without a file';
  return line.replace(/\]$/, '').split(': ').slice(-2).join(': ');
}

function countBytes(directory: string): number {
  return readdirSync(directory).reduce(
    (sum, name) => sum + (statSync(join(directory, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}
