import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { keepRunning, type KeepRunningOptions } from '../../scripts/embedded/keep-running.ts';
import { startPostgres } from '../../scripts/embedded/postgres.ts';
import { findTemporal, startTemporal } from '../../scripts/embedded/temporal.ts';
import { findTemporalServer } from '../../scripts/cluster/find-temporal-server.ts';
import { startTemporalServer } from '../../scripts/cluster/start-temporal-server.ts';
import { dropTemporalStores } from '../../scripts/cluster/temporal-stores.ts';

/** What the parts of a world need to start. */
export interface Surroundings {
  dataDir: string;
  recordFile: (name: string) => string;
  supervision: (name: string) => Omit<KeepRunningOptions, 'start'>;
  log: (name: string, line: string) => void;
}

/**
 * Starts a PostgreSQL server in the directory of its name, which may be a small disk, and keeps it running.
 *
 * @returns its URL
 */
export async function keepPostgres(
  { dataDir, recordFile, supervision, log }: Surroundings,
  { name, port }: { name: 'postgres' | 'temporal-postgres'; port: number },
): Promise<string> {
  let url = '';
  await keepRunning({
    ...supervision(name),
    start: async () => {
      const postgres = await startPostgres({
        ...{ dataDir: join(dataDir, name), closedParent: dataDir, port },
        // The disk is small, and shared_buffers are not needed.
        settings: {
          ...{ max_wal_size: '128MB', min_wal_size: '32MB', shared_buffers: '64MB' },
          max_connections: '200',
        },
        recordFile: recordFile(name),
        log: (line) => log(name, line),
      });
      url = postgres.url;
      return postgres;
    },
  });
  return url;
}

/** A Temporal server that is restarted when it ends. */
export interface KeptTemporal {
  address: string;
  /** The next start finds an empty database. */
  wipeAtNextStart: () => void;
}

/** Starts Temporal's development server on a file, and keeps it running. */
export async function keepDevelopmentTemporal(
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

/** Few, because the machine is small. The number is fixed when the stores are created. */
const historyShards = 4;

/** Starts the Temporal server of production on a PostgreSQL server of its own, and keeps both running. */
export async function keepTemporalOnPostgres(
  surroundings: Surroundings,
  { port, databasePort, cacheDir }: { port: number; databasePort: number; cacheDir: string },
): Promise<KeptTemporal> {
  const { dataDir, recordFile, supervision, log } = surroundings;
  const progress = (line: string): void => log('temporal', line);
  const programs = await findTemporalServer({ cacheDir, progress });
  const databaseUrl = await keepPostgres(surroundings, { name: 'temporal-postgres', port: databasePort });
  let isWiped = false;
  await keepRunning({
    ...supervision('temporal'),
    start: async () => {
      if (isWiped) await dropTemporalStores(databaseUrl);
      isWiped = false;
      return startTemporalServer({
        // No search attributes: the workers register them, also after a wipe.
        ...{ programs, databaseUrl, searchAttributes: {}, historyShards, port, namespace: 'default' },
        directory: join(dataDir, 'temporal'),
        recordFile: recordFile('temporal'),
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
