import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Pool } from 'pg';
import type { Demo } from '../../bench/service.ts';
import { keepChildRunning, runChild, type Child } from '../../scripts/embedded/children.ts';
import { stopProcesses } from '../../scripts/embedded/managed-process.ts';
import { findServerPort } from '../../scripts/embedded/ports.ts';
import { findRecordedProcess } from '../../scripts/embedded/process-record.mjs';
import {
  linkNames,
  processNames,
  steppedProcesses,
  type LinkName,
  type ProcessName,
  type SteppedProcess,
  type TemporalName,
} from '../plan.ts';
import { makeClock, type Clock } from './clock.ts';
import { mountSmallDisk, type SmallDisk } from './disk.ts';
import { startGateway, type Gateway, type GatewayName } from './gateway.ts';
import { watchLogs, type LogWatch } from './log-watch.ts';
import { startReceivers, type Receivers } from './receivers.ts';
import {
  keepDevelopmentTemporal,
  keepPostgres,
  keepTemporalOnPostgres,
  type KeptTemporal,
  type Surroundings,
} from './servers.ts';
import { startTcpLink, type TcpLink } from './tcp-link.ts';

/** The whole service, and what surrounds it. */
export interface World {
  demo: Demo;
  /** The key of the clients: a test key with the simulator, a live key with Kannel. */
  apiKey: string;
  gatewayName: GatewayName;
  /** The URLs of the API processes, as the clients reach them. */
  apiUrls: string[];
  links: Record<LinkName, TcpLink>;
  gateway: Gateway;
  receivers: Receivers;
  temporal: KeptTemporal;
  /** Undefined where the machine does not allow it. */
  disk: SmallDisk | undefined;
  clocks: Partial<Record<SteppedProcess, Clock>>;
  /** For the harness itself, around the links. */
  database: Pool;
  logs: LogWatch;
  /** The names of processes that gave up, with their reasons. */
  givenUp: string[];
  processId: (name: ProcessName) => number | undefined;
  stop: () => Promise<void>;
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const apiNames = ['api-1', 'api-2'] as const;
const workerNames = ['worker-1', 'worker-2'] as const;

/** Short waits, so that a run of a minute sees what follows them. */
const shortWaits = { SUBMISSION_DOUBT_SECONDS: '3', GATEWAY_TIMEOUT_SECONDS: '2' };

type Ports = Record<ProcessName | 'gateway' | 'relay', number>;

/**
 * Starts PostgreSQL, Temporal, the gateway, two API and two worker processes, and the links between them.
 *
 * @param options.dataDir an empty directory
 * @param options.logDir the logs of all processes go here
 */
export async function startWorld(options: {
  dataDir: string;
  logDir: string;
  gatewayName: GatewayName;
  temporalName: TemporalName;
}): Promise<World> {
  const { dataDir, logDir, gatewayName, temporalName } = options;
  const logs = watchLogs(logDir);
  const givenUp: string[] = [];
  let isStopping = false;
  const recordFile = (name: string): string => join(dataDir, 'processes', name);
  const surroundings: Surroundings = {
    ...{ dataDir, recordFile, log: logs.take },
    supervision: (name) => ({
      name,
      isStopping: () => isStopping,
      markFailed: (reason) => givenUp.push(reason),
      log: (line) => logs.take('supervisor', line),
    }),
  };
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const ports = await choosePorts();
  const disk = mountSmallDisk(join(dataDir, 'postgres'));
  const stops: (() => Promise<void> | void)[] = [];
  const stop = async (): Promise<void> => {
    isStopping = true;
    for (const names of [[...apiNames, ...workerNames], ['temporal'], ['postgres', 'temporal-postgres']])
      await stopProcesses(names);
    for (const one of stops.toReversed()) await one();
    disk?.unmount();
    logs.close();
  };
  try {
    const parts = await startParts(surroundings, { ports, gatewayName, temporalName, stops });
    const { demo, links } = parts;
    return {
      ...parts,
      ...{ gatewayName, disk, logs, givenUp, stop },
      apiKey: gatewayName === 'kannel' ? demo.liveApiKey : demo.testApiKey,
      apiUrls: apiNames.map((name) => `http://127.0.0.1:${links[`clients>${name}`].port}`),
      processId: (name) => findRecordedProcess(recordFile(name)),
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

type Parts = Pick<World, 'demo' | 'links' | 'gateway' | 'receivers' | 'temporal' | 'clocks' | 'database'>;

/** @param given.stops to which each part adds what stops it */
async function startParts(
  surroundings: Surroundings,
  given: {
    ports: Ports;
    gatewayName: GatewayName;
    temporalName: TemporalName;
    stops: (() => Promise<void> | void)[];
  },
): Promise<Parts> {
  const { ports, gatewayName, temporalName, stops } = given;
  const { dataDir } = surroundings;
  const keepTemporal = temporalName === 'postgresql' ? keepTemporalOnPostgres : keepDevelopmentTemporal;
  const [databaseUrl, temporal] = await Promise.all([
    keepPostgres(surroundings, { name: 'postgres', port: ports.postgres }),
    keepTemporal(surroundings, {
      ...{ port: ports.temporal, databasePort: ports['temporal-postgres'] },
      cacheDir: join(root, '.cache'),
    }),
  ]);
  const links = await startLinks(ports);
  stops.push(() => Object.values(links).forEach((link) => link.stop()));
  const gatewayToken = randomBytes(24).toString('hex');
  const gateway = await startGateway(gatewayName, {
    ...{ port: ports.gateway, relayPort: ports.relay, gatewayToken },
    apiPorts: apiNames.map((name) => ports[name]),
  });
  const receivers = await startReceivers();
  stops.push(gateway.stop, receivers.stop);
  const clocks = Object.fromEntries(
    steppedProcesses.map((name) => [name, makeClock(join(dataDir, `clock-${name}`))]),
  ) as World['clocks'];
  const variables = { GATEWAY_TOKEN: gatewayToken, ...gateway.credentials };
  const demo = await startService(surroundings, { ports, links, databaseUrl, clocks, variables });
  const database = new Pool({ connectionString: databaseUrl, max: 3, connectionTimeoutMillis: 5000 });
  database.on('error', () => undefined); // Faults stop the server.
  stops.push(() => database.end());
  return { demo, links, gateway, receivers, temporal, clocks, database };
}

async function choosePorts(): Promise<Ports> {
  const names = [...processNames, 'gateway', 'relay'] as const;
  const ports: Partial<Ports> = {};
  for (const name of names) ports[name] = await findServerPort();
  return ports as Ports;
}

async function startLinks(ports: Ports): Promise<Record<LinkName, TcpLink>> {
  const links: Partial<Record<LinkName, TcpLink>> = {};
  for (const name of linkNames) {
    const target = name.split('>')[1] as keyof Ports;
    links[name] = await startTcpLink(await findServerPort(), ports[target]);
  }
  return links as Record<LinkName, TcpLink>;
}

/** Migrates the database, creates the demo organization, and keeps the API and worker processes running. */
async function startService(
  surroundings: Surroundings,
  given: Pick<World, 'links' | 'clocks'> & {
    ports: Ports;
    databaseUrl: string;
    variables: Record<string, string>;
  },
): Promise<Demo> {
  const { dataDir, recordFile, log, supervision } = surroundings;
  const { ports, links, databaseUrl, clocks } = given;
  const direct = { DATABASE_URL: databaseUrl, TEMPORAL_ADDRESS: `127.0.0.1:${ports.temporal}` };
  const common = { ...commonVariables(dataDir, ports), ...given.variables, ...direct };
  const child = (name: string, program: string, variables: Record<string, string> = {}): Child => ({
    name,
    program: join(root, program),
    environment: { ...common, ...variables },
    recordFile: recordFile(name),
    print: (line) => log(name, line),
  });
  await runChild(child('migrate', 'src/migrate.ts'));
  await runChild(child('seed-demo', 'scripts/seed-demo.ts'));
  const throughLinks = (name: (typeof apiNames | typeof workerNames)[number]): Record<string, string> => {
    const url = new URL(databaseUrl);
    url.port = String(links[`${name}>postgres`].port);
    return {
      DATABASE_URL: url.href,
      TEMPORAL_ADDRESS: `127.0.0.1:${links[`${name}>temporal`].port}`,
      ...(name in clocks && clocks[name as SteppedProcess]?.environment),
    };
  };
  const gatewayOf = (name: (typeof workerNames)[number]): Record<string, string> => {
    const url = `http://127.0.0.1:${links[`${name}>gateway`].port}/cgi-bin/sendsms`;
    return { GATEWAY_URL: url, SIMULATOR_URL: url };
  };
  const keep = (one: Child): Promise<void> => keepChildRunning(one, supervision(one.name));
  await Promise.all([
    ...workerNames.map((name) =>
      keep(child(name, 'src/worker.ts', { ...throughLinks(name), ...gatewayOf(name) })),
    ),
    ...apiNames.map((name) =>
      keep(child(name, 'src/api.ts', { ...throughLinks(name), PORT: String(ports[name]) })),
    ),
  ]);
  return JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as Demo;
}

function commonVariables(dataDir: string, ports: Ports): Record<string, string> {
  const secret = (): string => randomBytes(24).toString('hex');
  const gatewayUrl = `http://127.0.0.1:${ports.gateway}/cgi-bin/sendsms`;
  return {
    ...{ PATH: process.env['PATH'] ?? '', DATA_DIR: dataDir, LOG_LEVEL: 'info', HOST: '127.0.0.1' },
    ...{ PORT: String(ports['api-1']), BASE_URL: `http://127.0.0.1:${ports.relay}` },
    ...{ GATEWAY_URL: gatewayUrl, SIMULATOR_URL: gatewayUrl, SIMULATOR_PORT: String(ports.gateway) },
    ...{ AUTH_SECRET: secret(), SECURITY_CODE_PEPPER: secret() },
    ...{ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1', MAIL_TO_LOG: 'false' },
    ...{ RATE_LIMIT_PER_MINUTE: '10000000', ORGANIZATION_RATE_LIMIT_PER_MINUTE: '10000000' },
    ...shortWaits,
  };
}
