import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chownSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { canEnter, sharedDirectory, type Account } from './postgres-account.ts';
import type { PostgresBinaries } from './postgres-binaries.ts';

/** The database, and the role that owns it. */
export const databaseName = 'sms';

/** Creates the cluster under another name and renames it, so that an incomplete cluster is never used after a crash. */
export function initialiseCluster(options: {
  binaries: PostgresBinaries;
  account: Account | undefined;
  dataDir: string;
  cluster: string;
  password: string;
  log: (line: string) => void;
}): void {
  const { binaries, account, dataDir, cluster, password } = options;
  const isReachable = canEnter(account, dataDir);
  const home = isReachable ? dataDir : join(sharedDirectory, `postgres-${randomUUID()}`);
  const draft = join(home, 'cluster.partial');
  const passwordFile = join(home, 'password.initdb');
  mkdirSync(home, { recursive: true, mode: 0o711 });
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { mode: 0o700 });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (account !== undefined) {
    for (const path of [draft, passwordFile]) chownSync(path, account.uid, account.gid);
  }
  try {
    // The built-in locale sorts and folds identically on every machine, whichever locales are installed.
    runOnce(binaries.initdb, account, [
      `--pgdata=${draft}`,
      '--username=postgres',
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--no-instructions',
    ]);
    const singleUser = [
      '--single',
      '-D',
      draft,
      '-c',
      'log_min_messages=error',
      '-c',
      'log_min_error_statement=panic',
      'postgres',
    ];
    const role = `CREATE ROLE ${databaseName} LOGIN CREATEDB CREATEROLE PASSWORD '${password}';\n`;
    runOnce(binaries.postgres, account, singleUser, role);
    runOnce(
      binaries.postgres,
      account,
      singleUser,
      `CREATE DATABASE ${databaseName} OWNER ${databaseName};\n`,
    );
  } finally {
    rmSync(passwordFile, { force: true });
  }
  if (isReachable) {
    renameSync(draft, cluster);
    return;
  }
  const reachable = join(home, 'cluster');
  renameSync(draft, reachable);
  symlinkSync(reachable, cluster);
  options.log(
    `The user postgres cannot enter ${dataDir}, so its files are in ${reachable} (linked from there).`,
  );
}

/** @throws Error if the cluster belongs to another major version, whose files this server cannot read */
export function refuseOtherMajorVersion(binaries: PostgresBinaries, cluster: string): void {
  const clusterMajor = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim();
  const output = spawnSync(binaries.postgres, ['--version'], { encoding: 'utf8' }).stdout;
  const serverMajor = /\d+/.exec(output)?.[0];
  if (clusterMajor === serverMajor) return;
  throw new Error(
    `${cluster} was created by PostgreSQL ${clusterMajor}; the embedded version is ${serverMajor}. Copy the data ` +
      'with pg_dump of the old version, or start with another DATA_DIR.',
  );
}

/** postmaster.pid: line 1 is the pid, line 8 the status: `ready` when it accepts connections (pg_ctl reads it too). */
export function isClusterReady(cluster: string, pid: number): boolean {
  const lines = readPidFile(cluster);
  return lines[0] === String(pid) && lines[7]?.trim() === 'ready';
}

function readPidFile(cluster: string): string[] {
  try {
    return readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return [];
  }
}

// postmaster.pid remains after a crash. PostgreSQL handles this unless its pid now belongs to another process, for
// example in a restarted container. It would then refuse to start, permanently. Our own server was stopped before this,
// so the file is kept only if a postgres process has the pid.
export function forgetForeignPid(cluster: string): void {
  const pid = Number(readPidFile(cluster)[0]);
  if (!(pid > 0)) return;
  const commandLine = readCommandLine(pid);
  if (commandLine !== '' && !commandLine.includes('postgres')) rmSync(join(cluster, 'postmaster.pid'));
}

function readCommandLine(pid: number): string {
  if (process.platform !== 'linux') {
    return spawnSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim();
  }
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    return '';
  }
}

function runOnce(
  command: string,
  account: Account | undefined,
  commandArguments: string[],
  input = '',
): void {
  const result = spawnSync(command, commandArguments, {
    cwd: '/',
    env: quietEnvironment(),
    input,
    encoding: 'utf8',
    ...account,
  });
  // In single-user mode a failed statement does not fail the command.
  if (result.status === 0 && !/^.*(ERROR|FATAL):/m.test(result.stderr)) return;
  const reason = result.error?.message ?? result.stderr;
  throw new Error(`PostgreSQL could not create its database (${command}): ${reason}`);
}

// Not the caller's environment: PGDATA, PGPORT and similar variables would change the server's behavior.
export function quietEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' };
}
