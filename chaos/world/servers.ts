import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { keepRunning, type KeepRunningOptions } from '../../scripts/embedded/keep-running.ts';
import { startPostgres } from '../../scripts/embedded/postgres.ts';
import { findTemporal, startTemporal } from '../../scripts/embedded/temporal.ts';

/** What the parts of a world need to start. */
export interface Surroundings {
  dataDir: string;
  recordFile: (name: string) => string;
  supervision: (name: string) => Omit<KeepRunningOptions, 'start'>;
  log: (name: string, line: string) => void;
}

/**
 * Starts PostgreSQL and keeps it running.
 *
 * @param directory of the server, which may be a small disk
 * @returns its URL
 */
export async function keepPostgres(
  { dataDir, recordFile, supervision, log }: Surroundings,
  { directory, port }: { directory: string; port: number },
): Promise<string> {
  let url = '';
  await keepRunning({
    ...supervision('postgres'),
    start: async () => {
      const postgres = await startPostgres({
        ...{ dataDir: directory, closedParent: dataDir, port },
        // The disk is small, and shared_buffers are not needed.
        settings: { max_wal_size: '128MB', min_wal_size: '32MB', shared_buffers: '64MB' },
        recordFile: recordFile('postgres'),
        log: (line) => log('postgres', line),
      });
      url = postgres.url;
      return postgres;
    },
  });
  return url;
}

/** Temporal's development server on a file. */
export interface KeptTemporal {
  address: string;
  /** The next start finds an empty database. */
  wipeAtNextStart: () => void;
}

export async function keepTemporal(
  { dataDir, recordFile, supervision, log }: Surroundings,
  { port, cacheDir }: { port: number; cacheDir: string },
): Promise<KeptTemporal> {
  const progress = (line: string): void => log('temporal', line);
  const executable = await findTemporal({ cacheDir, progress });
  const databaseFile = join(dataDir, 'temporal', 'temporal.db');
  let isWiped = false;
  await keepRunning({
    ...supervision('temporal'),
    start: async () => {
      if (isWiped) for (const suffix of ['', '-wal', '-shm']) rmSync(databaseFile + suffix, { force: true });
      isWiped = false;
      return startTemporal({
        // No search attributes, as in a server of production: the workers register them, also after a wipe.
        ...{ executable, databaseFile, port, namespace: 'default', searchAttributes: {} },
        recordFile: recordFile('temporal'),
        log: (line) => log('temporal', line),
      });
    },
  });
  return { address: `127.0.0.1:${port}`, wipeAtNextStart: () => (isWiped = true) };
}

/** The ids of a process and of all that descend from it: the backends of PostgreSQL have sessions of their own. */
export function withDescendants(processId: number): number[] {
  const parents = new Map<number, number[]>();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    const file = `/proc/${name}/stat`;
    if (!existsSync(file)) continue;
    const parent = Number(
      readStat(file)
        .replace(/^.*\) /s, '')
        .split(' ')[1],
    );
    parents.set(parent, [...(parents.get(parent) ?? []), Number(name)]);
  }
  const collect = (id: number): number[] => [id, ...(parents.get(id) ?? []).flatMap(collect)];
  return collect(processId);
}

/** Empty if the process has ended meanwhile. */
function readStat(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}
