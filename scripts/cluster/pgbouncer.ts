import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { findProgram } from '../embedded/cache.ts';
import { startProcess, type ProcessExit } from '../embedded/managed-process.ts';
import { canEnter, choosePostgresAccount } from '../embedded/postgres-account.ts';

export interface PgBouncer {
  /** The URL of the same database through PgBouncer. */
  url: string;
  exited: Promise<ProcessExit>;
  stop: () => Promise<void>;
}

const stopGraceSeconds = 5;
const startTimeoutSeconds = 30;

/** The path of PgBouncer, if it is installed (Debian: pgbouncer). */
export function findPgBouncer(): string | undefined {
  return findProgram('pgbouncer', ['/usr/sbin']);
}

/**
 * Starts PgBouncer on 127.0.0.1 in session mode, in front of one database: a client keeps its server connection until it
 * disconnects, so LISTEN, prepared statements and transactions work as without it.
 *
 * @param options.connections the maximum number of connections to PostgreSQL; in session mode also of clients that are
 *   served at the same time
 * @throws Error that explains what to do, if it is not installed or does not start
 */
export async function startPgBouncer(options: {
  databaseUrl: string;
  /** Receives its configuration, which contains the password. PgBouncer's user must be able to enter it. */
  directory: string;
  port: number;
  connections: number;
  recordFile: string;
  log: (line: string) => void;
}): Promise<PgBouncer> {
  const command = findPgBouncer();
  if (command === undefined) throw new Error('PgBouncer is not installed. Debian: apt install pgbouncer');
  const { file, account } = writeConfiguration(options);
  const printed: string[] = [];
  const pgbouncer = await startProcess({
    name: 'pgbouncer',
    command,
    arguments: [file],
    ...(account === undefined ? {} : { account }),
    recordFile: options.recordFile,
    // SIGINT would wait for the clients to leave.
    stopSignal: 'SIGTERM',
    graceSeconds: stopGraceSeconds,
    onLine: (line) => {
      printed.push(line);
      if (printed.length > 20) printed.shift();
      if (/ (ERROR|FATAL) /.test(line)) options.log(line);
    },
  });
  let exit: ProcessExit | undefined;
  void pgbouncer.exited.then((value) => (exit = value));
  const url = new URL(options.databaseUrl);
  url.port = String(options.port);
  const giveUpAt = Date.now() + startTimeoutSeconds * 1000;
  while (!(await accepts(url.href))) {
    if (exit !== undefined || Date.now() > giveUpAt) {
      await pgbouncer.stop();
      throw new Error(`PgBouncer did not start:\n${printed.join('\n')}`);
    }
    await delay(50);
  }
  return { url: url.href, exited: pgbouncer.exited, stop: pgbouncer.stop };
}

/** Like PostgreSQL, PgBouncer refuses to run as root. It then runs as PostgreSQL's user. */
function writeConfiguration(options: {
  databaseUrl: string;
  directory: string;
  port: number;
  connections: number;
}): { file: string; account: { uid: number; gid: number } | undefined } {
  const { directory, port, connections } = options;
  const { hostname, port: databasePort, username, password, pathname } = new URL(options.databaseUrl);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const account = choosePostgresAccount(directory);
  const [file, users] = [join(directory, 'pgbouncer.ini'), join(directory, 'users.txt')];
  writeFileSync(users, `"${username}" "${decodeURIComponent(password)}"\n`, { mode: 0o600 });
  const lines = [
    '[databases]',
    `${pathname.slice(1)} = host=${hostname} port=${databasePort}`,
    '[pgbouncer]',
    ...['listen_addr = 127.0.0.1', `listen_port = ${port}`, 'unix_socket_dir ='],
    ...['auth_type = scram-sha-256', `auth_file = ${users}`],
    ...['pool_mode = session', `default_pool_size = ${connections}`, 'max_client_conn = 1000'],
    // Its log would name the address of each connection.
    ...['log_connections = 0', 'log_disconnections = 0', 'log_stats = 0'],
  ];
  writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600 });
  if (account !== undefined) {
    for (const path of [directory, file, users]) chownSync(path, account.uid, account.gid);
    if (!canEnter(account, directory))
      throw new Error(`PgBouncer's user cannot enter ${directory}: set DATA_DIR to a directory that it can.`);
  }
  return { file, account };
}

async function accepts(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
