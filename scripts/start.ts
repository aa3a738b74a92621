// npm start: runs everything in one terminal. Starts the servers that the operator does not supply (PostgreSQL,
// Temporal, the gateway simulator), migrates the database, creates the demo organization, runs the API and a worker,
// restarts them if they end, and stops everything in order on Ctrl-C.
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ConfigError } from '../src/config.ts';
import { exitCodeForBadConfiguration } from '../src/process.ts';
import { buildConsole } from './build-console.ts';
import { buildDocs } from './build-docs.ts';
import { announce } from './embedded/announce.ts';
import { refreshDemo } from './embedded/demo.ts';
import { messageOf } from './embedded/errors.ts';
import { childGraceSeconds, keepChildRunning, runChild, type Child } from './embedded/children.ts';
import { BadConfiguration, type KeepRunningOptions } from './embedded/keep-running.ts';
import { keepSecret } from './embedded/kept-secret.ts';
import {
  isAnyRunning,
  killProcesses,
  stopProcesses,
  stopRecordedProcess,
} from './embedded/managed-process.ts';
import { choosePorts, isPortFree } from './embedded/ports.ts';
import { closeDataDirectory } from './embedded/private-files.ts';
import { releaseLock, takeLock } from './embedded/process-record.mjs';
import { readStartSettings, type StartSettings } from './embedded/settings.ts';
import { startEmbeddedPostgres, type Run } from './embedded/servers.ts';
import { namesOf, oneOfEach, type Shape } from './embedded/shape.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const readyTimeoutSeconds = 120;
/** npm forwards a Ctrl-C that the terminal has already sent to the process. Signals this close count as one. */
const sameKeystrokeMs = 1000;

/** The order of stopping: first the processes that accept work, then those that carry it, then those that store it. */
const stopOrder = ({ apis, workers }: Shape): string[][] => [
  [...namesOf('api', apis), ...namesOf('worker', workers)],
  ['migrate', 'seed-demo', 'simulator'],
  ['temporal', 'pgbouncer'],
  ['postgres', 'temporal-postgres'],
];

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const print = (name: string, line: string): void => say(`${name.padEnd(9)} | ${line}`);

let stoppingSince: number | undefined;
const isStopping = (): boolean => stoppingSince !== undefined;
let dataDirLock: string | undefined;
let shape = oneOfEach;

if (import.meta.main) await main(() => readStartSettings(process.env));

/** Runs everything until a signal stops it. Benches and tests run more than one process of each kind. */
export async function main(readSettings: () => StartSettings, ofShape: Shape = oneOfEach): Promise<void> {
  shape = ofShape;
  listenForTheEnd();
  try {
    await start(readSettings());
  } catch (error) {
    if (isStopping()) return;
    const isConfiguration = error instanceof ConfigError || error instanceof BadConfiguration;
    await stopEverything(messageOf(error), isConfiguration ? exitCodeForBadConfiguration : 1);
  }
}

async function start(settings: StartSettings): Promise<void> {
  const { dataDir } = settings;
  lockDataDirectory(dataDir);
  say(`Starting, with the data in ${dataDir} …`);
  await stopLeftovers(dataDir);
  closeDataDirectory(dataDir);
  await refuseTakenPort(settings);
  const run = await prepareRun(settings);
  const pagesBuilt = buildAllPages();
  const servers = await startServers(run);
  const environment = environmentOf(run, servers);
  const metricsOf = (name: string): Record<string, string> => {
    const port = run.ports[metricsPortOf(name)];
    return port === undefined ? {} : { METRICS_PORT: String(port) };
  };
  const child = (name: string, program: string, own: Record<string, string> = {}): Child => ({
    name,
    program: join(root, program),
    environment: { ...environment, ...metricsOf(name), ...own },
    recordFile: recordFile(dataDir, name),
    print: (line) => print(name, line),
  });
  const isEmbedded = settings.databaseUrl === undefined;
  await runChild(child('migrate', 'src/migrate.ts'));
  if (isEmbedded && !existsSync(join(dataDir, 'demo.json'))) {
    await runChild(child('seed-demo', 'scripts/seed-demo.ts'));
  }
  if (isEmbedded) {
    refreshDemo(dataDir, { ...environment, DATABASE_URL: servers.databaseUrl }, metricsUrlsOf(run));
  }
  const keep = (one: Child): Promise<void> => keepChildRunning(one, supervision(one.name));
  await Promise.all([
    settings.simulatorUrl === undefined &&
      keep(child('simulator', 'src/simulator.ts', { HOST: '127.0.0.1' })),
    ...namesOf('worker', shape.workers).map((name) => keep(child(name, 'src/worker.ts'))),
    ...namesOf('api', shape.apis).map((name) =>
      keep(child(name, 'src/api.ts', { PORT: String(run.ports[name] ?? settings.port) })),
    ),
  ]);
  await waitUntilHealthy(settings.localUrl);
  await pagesBuilt;
  if (isStopping()) return;
  const [temporalUiUrl, metricsPort] = [servers.temporal?.uiUrl, run.ports[metricsPortOf('api')]!];
  announce(settings, { temporalUiUrl, metricsPort }).forEach(say);
}

/** Builds what people open in a browser. The service runs without it too, so a failure is only reported. */
async function buildAllPages(): Promise<void> {
  const report = (what: string) => (error: unknown) => {
    if (!isStopping()) say(`${what} cannot be built: ${messageOf(error)}`);
  };
  await Promise.all([
    buildDocs(say).catch(report('The documentation (/docs)')),
    buildConsole(say).catch(report('The console (/console)')),
  ]);
}

/** The name under which the port of a process's metrics is kept. */
function metricsPortOf(name: string): string {
  return `${name}Metrics`;
}

/** The URL of /metrics of each process, by the name of the process: the built-in simulator has one only if it runs. */
function metricsUrlsOf({ settings, ports }: Run): Record<string, string> {
  const names = [
    ...namesOf('api', shape.apis),
    ...namesOf('worker', shape.workers),
    ...(settings.simulatorUrl === undefined ? ['simulator'] : []),
  ];
  return Object.fromEntries(
    names.map((name) => [name, `http://127.0.0.1:${ports[metricsPortOf(name)]}/metrics`]),
  );
}

async function prepareRun(settings: StartSettings): Promise<Run> {
  const { dataDir } = settings;
  const [apis, workers] = [namesOf('api', shape.apis), namesOf('worker', shape.workers)];
  const named = ['api', 'worker', 'simulator', ...apis.slice(1), ...workers.slice(1)];
  const furtherApis = shape.isPortShared ? [] : apis.slice(1);
  const ports = await choosePorts<Record<string, number>>(join(dataDir, 'ports.json'), {
    postgres: 54329,
    temporal: 7233,
    temporalUi: 8233,
    simulator: 13013,
    ...Object.fromEntries(named.map((name, index) => [metricsPortOf(name), 9464 + index])),
    ...shape.ports,
    ...Object.fromEntries(furtherApis.map((name, index) => [name, settings.port + index + 1])),
  });
  return {
    ...{ settings, ports, say, print, supervision },
    cacheDir: join(root, '.cache'),
    recordFile: (name) => recordFile(dataDir, name),
  };
}

interface Servers {
  databaseUrl: string;
  /** The URL that the processes use: the same, unless a pooler is between them and PostgreSQL. */
  pooledUrl: string;
  temporal: { address: string; uiUrl?: string } | undefined;
}

async function startServers(run: Run): Promise<Servers> {
  const { databaseUrl: givenUrl, temporalAddress } = run.settings;
  const embedded = { name: 'postgres', settings: shape.databaseSettings };
  const [databaseUrl, temporal] = await Promise.all([
    givenUrl ?? startEmbeddedPostgres(run, embedded),
    temporalAddress === undefined ? shape.startTemporal(run) : undefined,
  ]);
  const pooledUrl = (await shape.startPooler?.(run, databaseUrl)) ?? databaseUrl;
  return { databaseUrl, pooledUrl, temporal };
}

/** The variables of the processes. */
function environmentOf({ settings, ports }: Run, servers: Servers): Record<string, string> {
  const { dataDir } = settings;
  const simulatorUrl = settings.simulatorUrl ?? `http://127.0.0.1:${ports['simulator']}/cgi-bin/sendsms`;
  const temporalUiUrl = servers.temporal?.uiUrl;
  return {
    ...(temporalUiUrl !== undefined && { TEMPORAL_UI_URL: temporalUiUrl }),
    ...settings.environment,
    PORT: String(settings.port),
    HOST: settings.host,
    BASE_URL: settings.baseUrl,
    DATA_DIR: dataDir,
    DATABASE_URL: servers.pooledUrl,
    TEMPORAL_ADDRESS: settings.temporalAddress ?? servers.temporal?.address ?? '',
    TEMPORAL_NAMESPACE: settings.temporalNamespace,
    SIMULATOR_URL: simulatorUrl,
    SIMULATOR_PORT: String(ports['simulator']),
    GATEWAY_URL: settings.gatewayUrl ?? simulatorUrl,
    GATEWAY_TOKEN: settings.gatewayToken ?? keepSecret(join(dataDir, 'gateway-token')),
    AUTH_SECRET: settings.authSecret ?? keepSecret(join(dataDir, 'auth-secret')),
    SECURITY_CODE_PEPPER: settings.securityCodePepper ?? keepSecret(join(dataDir, 'security-code-pepper')),
    ...settings.demoVariables,
    ...(shape.isPortShared && { REUSE_PORT: 'true' }),
  };
}

function lockDataDirectory(dataDir: string): void {
  const lock = join(dataDir, 'start.lock');
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const holder = takeLock(lock);
    if (holder === undefined) {
      dataDirLock = lock;
      return;
    }
    throw new ConfigError(
      `${dataDir} is in use by another npm start (process ${holder}). Stop it, or set DATA_DIR to another directory.`,
    );
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(
      `DATA_DIR (${dataDir}) cannot be used: ${messageOf(error)}. Set DATA_DIR to a writable directory.`,
      { cause: error },
    );
  }
}

/** Ends the processes that a killed run left behind, so that its ports and files are free. */
async function stopLeftovers(dataDir: string): Promise<void> {
  for (const names of stopOrder(shape)) {
    await Promise.all(
      names.map((name) => {
        const isServer = /postgres|temporal/.test(name);
        return stopRecordedProcess(
          recordFile(dataDir, name),
          isServer ? 'SIGINT' : 'SIGTERM',
          childGraceSeconds,
        );
      }),
    );
  }
}

async function refuseTakenPort({ port, host }: StartSettings): Promise<void> {
  if (await isPortFree(port, host)) return;
  throw new ConfigError(
    `Cannot listen on ${host}, port ${port}: the port is in use, or the address does not belong to this machine. ` +
      `Set PORT (or HOST) to another value, for example: PORT=${port + 1} npm start`,
  );
}

function supervision(name: string): Omit<KeepRunningOptions, 'start'> {
  return {
    name,
    isStopping,
    markFailed: (reason) => void stopEverything(reason, exitCodeForBadConfiguration),
    log: (line) => print('start', line),
  };
}

function recordFile(dataDir: string, name: string): string {
  return join(dataDir, 'processes', name);
}

async function waitUntilHealthy(localUrl: string): Promise<void> {
  const giveUpAt = Date.now() + readyTimeoutSeconds * 1000;
  while (!isStopping()) {
    const response = await fetch(`${localUrl}/health`, { signal: AbortSignal.timeout(5000) }).catch(
      () => undefined,
    );
    await response?.body?.cancel();
    if (response?.status === 200) return;
    if (Date.now() > giveUpAt)
      throw new Error(`${localUrl}/health did not respond with 200 within ${readyTimeoutSeconds} s.`);
    await delay(100);
  }
}

function listenForTheEnd(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (stoppingSince === undefined) void stopEverything(undefined, 0);
      else if (Date.now() - stoppingSince > sameKeystrokeMs) stopAtOnce();
    });
  }
  // scripts/run.mjs was killed.
  process.on('disconnect', () => stoppingSince ?? void stopEverything(undefined, 0));
  // The terminal may be closed before the last lines are written.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}

async function stopEverything(reason: string | undefined, exitCode: number): Promise<void> {
  if (isStopping()) return;
  stoppingSince = Date.now();
  if (reason !== undefined) process.stderr.write(`${reason}\n`);
  const wasRunning = isAnyRunning();
  if (wasRunning) say('Stopping …');
  for (const names of stopOrder(shape)) await stopProcesses(names);
  await stopProcesses(); // A build or a download in progress.
  if (dataDirLock !== undefined) releaseLock(dataDirLock);
  if (wasRunning) say('Stopped.');
  process.exit(exitCode);
}

function stopAtOnce(): never {
  killProcesses();
  if (dataDirLock !== undefined) releaseLock(dataDirLock);
  process.exit(130);
}
