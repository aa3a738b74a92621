import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, statSync } from 'node:fs';

export interface Account {
  uid: number;
  gid: number;
}

const userName = 'postgres';

/** Where root keeps files that the user postgres cannot reach below a closed directory such as root's home. */
export const sharedDirectory = '/var/lib/sms-service';

/**
 * The user that PostgreSQL runs as; undefined for an ordinary user, who runs it themselves. PostgreSQL refuses root, so
 * root starts it as the owner of an existing data directory, or else as the user `postgres`, created if missing.
 *
 * @param dataDirectory of the cluster, whether it exists or not
 */
export function choosePostgresAccount(dataDirectory: string): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const owner = statSync(dataDirectory, { throwIfNoEntry: false });
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  return lookUpAccount() ?? createAccount();
}

/** Whether a user can enter a directory, which needs the search permission on each directory above it. */
export function canEnter(account: Account | undefined, directory: string): boolean {
  return runsAs(account, '/bin/sh', ['-c', 'cd "$1"', 'sh', directory]);
}

/**
 * Lets PostgreSQL's user pass through a closed directory of root: its group may then enter the directory but not list
 * it. A group that already has access keeps it.
 */
export function letPass(account: Account | undefined, directory: string): void {
  if (account === undefined || canEnter(account, directory)) return;
  const { uid, mode } = statSync(directory);
  if ((mode & 0o070) !== 0) return;
  chownSync(directory, uid, account.gid);
  chmodSync(directory, (mode & 0o777) | 0o010);
}

/** Whether a user can run a program. This includes the permissions on its path and on the files that it loads. */
export function runsAs(account: Account | undefined, command: string, commandArguments: string[]): boolean {
  return spawnSync(command, commandArguments, { cwd: '/', stdio: 'ignore', ...account }).status === 0;
}

function lookUpAccount(): Account | undefined {
  try {
    const [uid, gid] = ['-u', '-g'].map((flag) =>
      Number(execFileSync('id', [flag, userName], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })),
    );
    return uid === undefined || gid === undefined ? undefined : { uid, gid };
  } catch {
    return undefined;
  }
}

function createAccount(): Account {
  // shadow-utils (Debian, Fedora, Arch), then busybox (Alpine).
  const attempts: [string, string[]][] = [
    ['useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/bin/false', userName]],
    ['adduser', ['-S', '-D', '-H', userName]],
  ];
  for (const [command, commandArguments] of attempts) {
    spawnSync(command, commandArguments, { stdio: 'ignore' });
    const account = lookUpAccount();
    if (account !== undefined) return account;
  }
  throw new Error(
    'PostgreSQL does not run as root, and the user "postgres" could not be created for it. Create that user, ' +
      'or start as an ordinary user, or set DATABASE_URL to your own server.',
  );
}
