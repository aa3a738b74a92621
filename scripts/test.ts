// npm test [JEST ARGUMENTS]: obtains the two Temporal servers that the tests use, builds the pages, then runs jest.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildConsole } from './build-console.ts';
import { buildDocs } from './build-docs.ts';
import { messageOf } from './embedded/errors.ts';
import { stopProcesses } from './embedded/managed-process.ts';
import { findTemporal } from './embedded/temporal.ts';
import { findTimeSkippingServer } from './embedded/time-skipping-server.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const cacheDir = join(root, '.cache');
const progress = (line: string): void => void process.stderr.write(`${line}\n`);

let stop = (signal: NodeJS.Signals): void =>
  void stopProcesses().then(() => process.exit(128 + constants.signals[signal]));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop(signal));
process.on('disconnect', () => stop('SIGTERM')); // scripts/run.mjs was killed.

const servers = await findServers();
const jest = spawn(
  process.execPath,
  [join(root, 'node_modules/jest/bin/jest.js'), ...process.argv.slice(2)],
  {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      TIME_SKIPPING_SERVER: servers.timeSkippingServer,
      TEMPORAL_CLI: servers.temporal,
      // Otherwise each of jest's processes prints this warning.
      NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --disable-warning=ExperimentalWarning`.trim(),
    },
  },
);
stop = (signal) => void jest.kill(signal);
jest.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal ?? 'SIGTERM']));

async function findServers() {
  try {
    const [timeSkippingServer, temporal] = await Promise.all([
      findTimeSkippingServer({ cacheDir, progress }),
      findTemporal({ cacheDir, progress }),
      buildDocs(progress),
      buildConsole(progress),
    ]);
    return { timeSkippingServer, temporal };
  } catch (error) {
    progress(messageOf(error));
    await stopProcesses();
    return process.exit(1);
  }
}
