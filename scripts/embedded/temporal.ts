import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { askTemporal, EarlyExit, waitUntilUsable, type SearchAttributes } from './ask-temporal.ts';
import { buildWithGo } from './build-with-go.ts';
import { fillCache, findProgram, showProgress, type Progress } from './cache.ts';
import { endWhenBroken } from './end-when-broken.ts';
import { messageOf } from './errors.ts';
import { startProcess, stopRecordedProcess, type ProcessExit } from './managed-process.ts';
import { findFreePort } from './ports.ts';
import { downloadWithSdk } from './sdk-download.ts';

/** The newest release that `go install` accepts: later releases have a `replace` in their go.mod. */
const cliVersion = 'v1.5.1';
const cliModule = `github.com/temporalio/cli/cmd/temporal@${cliVersion}`;
const stopGraceSeconds = 10;

export interface TemporalOptions {
  /** The `temporal` CLI, from `findTemporal`. */
  executable: string;
  /** The file that keeps its state. Default: in memory, lost when the process ends. */
  databaseFile?: string;
  /** Default: free ports. */
  port?: number;
  uiPort?: number;
  namespace: string;
  /** Registered at every start. Existing attributes do not change. */
  searchAttributes: SearchAttributes;
  /** The file that records the server's pid for the next run. */
  recordFile?: string;
  log: (line: string) => void;
}

export interface EmbeddedTemporal {
  /** host:port of the frontend. */
  address: string;
  uiUrl: string;
  exited: Promise<ProcessExit>;
  stop: () => Promise<void>;
}

/**
 * Obtains the `temporal` CLI, which contains the development server: from the PATH, from the cache, by the SDK's
 * download, or by a build with Go, in this order.
 *
 * @param options.cacheDir the project's `.cache`
 * @returns the path of the executable
 * @throws Error that lists every way and why it failed
 */
export async function findTemporal(options: { cacheDir: string; progress: Progress }): Promise<string> {
  const { cacheDir, progress } = options;
  const installed = findProgram('temporal');
  if (installed !== undefined) return installed;
  const failures: string[] = [];
  const obtain = async (directory: string): Promise<void> => {
    const download = downloadWithSdk('temporal', cliVersion, directory);
    try {
      await showProgress(progress, `Downloading the Temporal server ${cliVersion}`, download);
      return;
    } catch (error) {
      failures.push(`its download (temporal.download): ${messageOf(error)}`);
    }
    const doing = `Building the Temporal server ${cliVersion} with Go (about 3 minutes, once)`;
    try {
      await buildWithGo({ packages: [cliModule], directory, doing, progress });
    } catch (error) {
      failures.push(messageOf(error));
      throw new Error(describeFailures(failures), { cause: error });
    }
  };
  const directory = await fillCache(cacheDir, `temporal-cli-${cliVersion}`, progress, obtain);
  return join(directory, 'temporal');
}

function describeFailures(failures: string[]): string {
  return [
    'No Temporal server was found. Tried, in this order:',
    '  - temporal on the PATH: not found',
    "  - the project's cache (.cache): not found",
    ...failures.map((failure) => `  - ${failure}`),
    'Set TEMPORAL_ADDRESS to your own Temporal server, or put the Temporal CLI on the PATH, or install Go.',
  ].join('\n');
}

/** The exit code of a Go program that panics. */
const panicExitCode = 2;
const maxStarts = 3;

/**
 * Starts Temporal's development server with its Web UI on 127.0.0.1 and waits until a client can use the
 * namespace. A server that a killed run left on the same file is stopped first. A server that later answers with nothing
 * but errors is ended (`end-when-broken.ts`).
 *
 * The server chooses ports for its inner parts before it listens on them, and panics if another process is faster. It
 * is then started again.
 *
 * @throws Error if it does not start
 */
export async function startTemporal(options: TemporalOptions): Promise<EmbeddedTemporal> {
  for (let start = 1; ; start += 1) {
    try {
      return await startServer(options);
    } catch (error) {
      const { cause } = error as Error;
      if (start === maxStarts || !(cause instanceof EarlyExit) || cause.exit.code !== panicExitCode)
        throw error;
    }
  }
}

async function startServer(options: TemporalOptions): Promise<EmbeddedTemporal> {
  if (options.recordFile !== undefined) {
    await stopRecordedProcess(options.recordFile, 'SIGINT', stopGraceSeconds);
  }
  const port = options.port ?? (await findFreePort());
  const uiPort = options.uiPort ?? (await findFreePort());
  const address = `127.0.0.1:${port}`;
  const database = prepareDatabase(options.databaseFile);
  const printed: string[] = [];
  const server = await startProcess({
    name: 'temporal',
    command: options.executable,
    arguments: [
      ...['server', 'start-dev', '--ip', '127.0.0.1', '--port', String(port), '--ui-port', String(uiPort)],
      ...['--namespace', options.namespace, '--log-level', 'error', '--log-format', 'json'],
      // The operator's own CLI profile must not change this server.
      ...['--disable-config-file', '--disable-config-env'],
      ...database.flags,
      ...Object.entries(options.searchAttributes).flatMap(([key, type]) => [
        '--search-attribute',
        `${key}=${type}`,
      ]),
    ],
    workingDirectory: database.directory,
    umask: 0o077,
    ...(options.recordFile === undefined ? {} : { recordFile: options.recordFile }),
    stopSignal: 'SIGINT',
    graceSeconds: stopGraceSeconds,
    onLine: (line) => {
      printed.push(line);
      if (/"level":"(ERROR|FATAL)"|^Error/i.test(line)) options.log(line);
    },
  });
  let exit: ProcessExit | undefined;
  void server.exited.then((value) => (exit = value));
  try {
    await waitUntilUsable(
      () => askTemporal(address, options),
      () => exit,
    );
  } catch (error) {
    await server.stop();
    throw new Error(`Temporal did not start: ${messageOf(error)}\n${printed.slice(-20).join('\n')}`, {
      cause: error,
    });
  }
  database.keep();
  void endWhenBroken({
    ask: () => askTemporal(address, options),
    exited: server.exited,
    end: server.stop,
    log: options.log,
  });
  return { address, uiUrl: `http://127.0.0.1:${uiPort}`, exited: server.exited, stop: server.stop };
}

// The write-ahead log with one sync per checkpoint lets the file-backed server run 61 workflows a second, as many as in
// memory; SQLite's defaults reach 24 (two cores). Nothing is lost when a process dies. After a power failure the last
// moments may be lost, and the dispatches that are not complete in PostgreSQL are started again.
const pragmas = ['--sqlite-pragma', 'journal_mode=WAL', '--sqlite-pragma', 'synchronous=NORMAL'];

/**
 * The server creates the schema only if the file does not exist, and not in one step: a file whose first start was
 * interrupted would never work. The file is therefore valid only after its server has been usable, and is recreated
 * until then.
 */
function prepareDatabase(databaseFile: string | undefined): {
  flags: string[];
  directory: string;
  keep: () => void;
} {
  if (databaseFile === undefined) return { flags: [], directory: '/', keep: () => undefined };
  const file = resolve(databaseFile);
  const marker = `${file}.unfinished`;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  if (existsSync(marker)) for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
  if (!existsSync(file)) writeFileSync(marker, '', { mode: 0o600 });
  return {
    // Only the file name: the server inserts the path into a URL unescaped.
    flags: ['--db-filename', basename(file), ...pragmas],
    directory: dirname(file),
    keep: () => rmSync(marker, { force: true }),
  };
}
