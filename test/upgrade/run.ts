// npm run upgrade-test [REF]: starts the previous release with work under way, then this version beside it on the same
// database and Temporal, stops the old one, and checks that this version finishes everything (docs/upgrades.md).
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import { Client as PostgresClient } from 'pg';
import { findFreePort } from '../../scripts/embedded/ports.ts';
import { startPostgres } from '../../scripts/embedded/postgres.ts';
import { findTemporal, startTemporal } from '../../scripts/embedded/temporal.ts';
import { until } from '../helpers/until.ts';
import { apiOf, bulkRatePerSecond, makeOpenWork, startReceiver, type Demo } from './open-work.ts';
import { checkOutPreviousRelease } from './previous-release.ts';
import { runProgram, startBalancer, startProcess, type Running } from './processes.ts';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const quiet = (): void => undefined;
/** What is ended at the end, the last one first. */
const endings: (() => Promise<void> | void)[] = [];

const stopped = new Promise<never>((_resolve, reject) => {
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, () => reject(new Error(`${signal} stopped it.`)));
});

try {
  await Promise.race([upgrade(process.argv[2]), stopped]);
  say('The upgrade lost nothing.');
} catch (error) {
  say(`The upgrade failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  process.exitCode = 1;
} finally {
  for (const end of endings.toReversed())
    await Promise.resolve()
      .then(end)
      .catch((error: unknown) => say(String(error)));
}
process.exit();

async function upgrade(ref: string | undefined): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'upgrade-'));
  endings.push(() => rmSync(directory, { recursive: true, force: true }));
  const release = checkOutPreviousRelease(root, join(directory, 'release'), ref);
  endings.push(release.remove);
  say(`From ${release.commit} to this version.`);
  const environment = await startServers(directory);
  const balancer = await startBalancer();
  const receiver = await startReceiver();
  endings.push(balancer.stop, receiver.stop);
  const common = { ...environment, BASE_URL: balancer.url };

  const oldPort = await findFreePort();
  await runProgram(release.directory, 'src/migrate.ts', common);
  await runProgram(release.directory, 'scripts/seed-demo.ts', { ...common, PORT: String(oldPort) });
  const demo = JSON.parse(readFileSync(join(directory, 'data', 'demo.json'), 'utf8')) as Demo;
  endings.push((await startProcess(release.directory, 'src/simulator.ts', common)).stop);
  const oldVersion = await startVersion(release.directory, common, oldPort);
  balancer.use([oldPort]);
  const work = await makeOpenWork(`http://127.0.0.1:${oldPort}`, demo, receiver);
  say('The previous release has work under way.');

  await runProgram(root, 'src/migrate.ts', common);
  const newPort = await findFreePort();
  const newVersion = await startVersion(root, common, newPort);
  balancer.use([oldPort, newPort]);
  for (const port of [oldPort, newPort]) await expectServed(`http://127.0.0.1:${port}`, demo);
  say('Both serve, on the migrated database.');

  const left = await work.unfinished();
  if (left.length < 5)
    throw new Error(`Too early finished: only ${left.join(', ')} were left. It proves nothing.`);
  balancer.use([newPort]);
  await Promise.all(oldVersion.map((one) => one.stop()));
  say('The previous release has stopped.');
  const newUrl = `http://127.0.0.1:${newPort}`;
  await work.report(newUrl);
  await work.finish(newUrl);
  await expectNothingLeft(common, work.messages + 2);
  await Promise.all(newVersion.map((one) => one.stop()));
}

/** Starts PostgreSQL and Temporal, and returns what every process of both releases is given. */
async function startServers(directory: string): Promise<Record<string, string>> {
  const dataDir = join(directory, 'data');
  mkdirSync(dataDir, { mode: 0o700 });
  const postgres = await startPostgres({
    dataDir: join(dataDir, 'postgres'),
    closedParent: directory,
    log: quiet,
  });
  endings.push(postgres.stop);
  const temporal = await startTemporal({
    executable: await findTemporal({ cacheDir: join(root, '.cache'), progress: say }),
    namespace: 'default',
    searchAttributes: { OrganizationIds: 'KeywordList', Kind: 'Keyword', WaitingFor: 'Keyword' },
    log: quiet,
  });
  endings.push(temporal.stop);
  const simulatorPort = String(await findFreePort());
  const simulatorUrl = `http://127.0.0.1:${simulatorPort}/cgi-bin/sendsms`;
  const secret = 'a-secret-of-the-upgrade-test-0123456789';
  return {
    DATA_DIR: dataDir,
    DATABASE_URL: postgres.url,
    TEMPORAL_ADDRESS: temporal.address,
    SIMULATOR_PORT: simulatorPort,
    SIMULATOR_URL: simulatorUrl,
    GATEWAY_URL: simulatorUrl,
    GATEWAY_TOKEN: secret,
    AUTH_SECRET: secret,
    SECURITY_CODE_PEPPER: secret,
    WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
    BULK_RATE_PER_SECOND: String(bulkRatePerSecond),
    LOG_LEVEL: 'warn',
  };
}

/** Starts the API and the worker of a release. */
async function startVersion(
  directory: string,
  common: Record<string, string>,
  port: number,
): Promise<Running[]> {
  const started = await Promise.all([
    startProcess(directory, 'src/api.ts', { ...common, PORT: String(port) }),
    startProcess(directory, 'src/worker.ts', common),
  ]);
  // If the upgrade fails before it stops them. A second stop only waits.
  endings.push(...started.map((one) => () => one.stop()));
  return started;
}

/** A message that is handed to this API is delivered, whichever worker carries it. */
async function expectServed(baseUrl: string, demo: Demo): Promise<void> {
  const api = apiOf(baseUrl, demo);
  const { id } = await api('POST', '/api/v1/messages', { to: '+251911000003', text: 'During the upgrade' });
  await until(
    `a message to ${baseUrl} to be delivered`,
    async () => (await api('GET', `/api/v1/messages/${String(id)}`))['status'] === 'delivered',
    30_000,
  );
}

/** Every message is delivered once, and no workflow is left or has failed. */
async function expectNothingLeft(environment: Record<string, string>, messages: number): Promise<void> {
  const database = new PostgresClient({ connectionString: environment['DATABASE_URL']! });
  await database.connect();
  try {
    const { rows } = await database.query<{ status: string; count: number }>(
      'select status, count(*)::int as count from messages group by status',
    );
    const found = Object.fromEntries(rows.map(({ status, count }) => [status, count]));
    if (Object.keys(found).join() !== 'delivered' || found['delivered'] !== messages)
      throw new Error(`Expected ${messages} delivered messages, found ${JSON.stringify(found)}.`);
  } finally {
    await database.end();
  }
  const connection = await Connection.connect({ address: environment['TEMPORAL_ADDRESS']! });
  const { workflow } = new Client({ connection });
  const count = async (query: string) => (await workflow.count(query)).count;
  await until('no workflow to run', async () => (await count('ExecutionStatus = "Running"')) === 0, 60_000);
  const failed = await count('ExecutionStatus IN ("Failed", "TimedOut", "Terminated", "Canceled")');
  const completed = await count('ExecutionStatus = "Completed"');
  await connection.close();
  if (failed > 0) throw new Error(`${failed} workflows have failed.`);
  say(`${messages} messages are delivered, ${completed} workflows completed, none failed.`);
}
