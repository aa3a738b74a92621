// Starts the service with several processes of each kind, for benches and tests. Everything else is as in `npm start`:
// DATA_DIR, the demo organization, and the restart of a part that ends.
//
//   node scripts/cluster/start.ts --apis 2 --workers 3 --share-port --pgbouncer --temporal postgresql
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { keepRunning } from '../embedded/keep-running.ts';
import { searchAttributes, startEmbeddedPostgres, type Run } from '../embedded/servers.ts';
import { readStartSettings } from '../embedded/settings.ts';
import { oneOfEach } from '../embedded/shape.ts';
import { main } from '../start.ts';
import { findTemporalServer } from './find-temporal-server.ts';
import { startPgBouncer } from './pgbouncer.ts';
import { startTemporalServer } from './start-temporal-server.ts';

/** For one server on one machine. A cluster that grows needs more, and the number cannot change later. */
const defaultHistoryShards = '16';
/** A pool of ten and a listener for each API, and a pool of ten for each worker. */
const connectionsOfProcess = 11;
/** For migrations, and for those who look into the database. */
const furtherConnections = 20;

const { values: options } = parseArgs({
  options: {
    apis: { type: 'string', default: '1' },
    workers: { type: 'string', default: '1' },
    'share-port': { type: 'boolean', default: false },
    pgbouncer: { type: 'boolean', default: false },
    temporal: { type: 'string', default: 'development' },
    'history-shards': { type: 'string', default: defaultHistoryShards },
  },
});
const [apis, workers] = [Number(options.apis), Number(options.workers)];
const connections = (apis + workers) * connectionsOfProcess + furtherConnections;

await main(() => readStartSettings(process.env), {
  ...{ apis, workers, isPortShared: options['share-port'] },
  ports: { pgbouncer: 6432, 'temporal-postgres': 54330 },
  databaseSettings: { max_connections: String(Math.max(100, connections + furtherConnections)) },
  startTemporal: options.temporal === 'postgresql' ? startTemporalOnPostgres : oneOfEach.startTemporal,
  ...(options.pgbouncer && { startPooler }),
});

/** Temporal has a PostgreSQL server of its own, as in docker-compose.yml, so that the cost of each can be measured. */
async function startTemporalOnPostgres(run: Run): Promise<{ address: string }> {
  const programs = await findTemporalServer({ cacheDir: run.cacheDir, progress: run.say });
  const databaseUrl = await startEmbeddedPostgres(run, {
    name: 'temporal-postgres',
    settings: { max_connections: '200' },
  });
  let address = '';
  await keepRunning({
    ...run.supervision('temporal'),
    start: async () => {
      const temporal = await startTemporalServer({
        ...{ programs, databaseUrl, searchAttributes },
        directory: join(run.settings.dataDir, 'temporal'),
        port: run.ports['temporal']!,
        namespace: run.settings.temporalNamespace,
        historyShards: Number(options['history-shards']),
        recordFile: run.recordFile('temporal'),
      });
      address = temporal.address;
      return temporal;
    },
  });
  return { address };
}

async function startPooler(run: Run, databaseUrl: string): Promise<string> {
  let url = '';
  await keepRunning({
    ...run.supervision('pgbouncer'),
    start: async () => {
      const pgbouncer = await startPgBouncer({
        ...{ databaseUrl, connections },
        directory: join(run.settings.dataDir, 'pgbouncer'),
        port: run.ports['pgbouncer']!,
        recordFile: run.recordFile('pgbouncer'),
        log: (line) => run.print('pgbouncer', line),
      });
      url = pgbouncer.url;
      return pgbouncer;
    },
  });
  return url;
}
