import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SmsClient } from '../client/src/index.ts';
import { findRecordedProcess } from '../scripts/embedded/process-record.mjs';
import { namesOf } from '../scripts/embedded/shape.ts';

export interface Demo {
  adminEmail: string;
  adminPassword: string;
  ownerEmail: string;
  ownerPassword: string;
  baseUrl: string;
  organizationId: string;
  testApiKey: string;
  liveApiKey: string;
  gatewayToken: string;
  databaseUrl: string;
  temporalAddress: string;
  sender: string;
  /** The URL of /metrics of each process, by its name. Absent where no `npm start` wrote it. */
  metricsUrls: Record<string, string>;
}

/** What `npm start` runs and keeps running, and what a cluster adds to it. */
export const parts = [
  ...(['api', 'worker', 'temporal', 'postgres', 'simulator'] as const),
  ...(['temporal-postgres', 'pgbouncer'] as const),
];
export type PartName = (typeof parts)[number];

/** How the service runs; by default as `npm start` runs it. */
export interface ClusterOptions {
  apis: number;
  workers: number;
  /** Whether the API processes share one port. Otherwise each has its own (`apiUrls`). */
  isPortShared?: boolean;
  /** Whether PgBouncer is between the processes and PostgreSQL. */
  withPgBouncer?: boolean;
  /** Whether Temporal is the server for production, on PostgreSQL. Otherwise it is the development server. */
  withTemporalOnPostgres?: boolean;
}

export interface RunningService {
  demo: Demo;
  dataDir: string;
  process: ChildProcess;
  /** Its output so far, including the logs of its parts. */
  output: () => string;
  /** The URL of each API process, unless they share a port. */
  apiUrls: string[];
  /** The id of the process that currently runs this part, the first of several; undefined while none runs. */
  processId: (part: PartName) => number | undefined;
  /** The ids of all processes that currently run this part. */
  processIds: (part: PartName) => number[];
  /** Stops everything, and removes its DATA_DIR unless the caller supplied it. Repeated calls are harmless. */
  stop: () => Promise<void>;
}

/**
 * Starts the service as a user does and waits for its `ready`. It uses a new, empty DATA_DIR, or the one in
 * `environment`, which is then kept.
 *
 * @param cluster starts several processes of each kind instead
 */
export async function startService(
  environment: Record<string, string> = {},
  cluster?: ClusterOptions,
): Promise<RunningService> {
  const port = environment['PORT'] ?? String(await freePort());
  const givenDataDir = environment['DATA_DIR'];
  const dataDir = givenDataDir ?? (await mkdtemp(join(tmpdir(), 'sms-service-')));
  const child = spawn(process.execPath, commandOf(cluster), {
    env: { ...process.env, DATA_DIR: dataDir, LOG_LEVEL: 'warn', ...environment, PORT: port },
    // The channel breaks when this process dies in any way, and the service then stops by itself.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const output = collectOutput(child);
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    }
    if (givenDataDir === undefined) await rm(dataDir, { recursive: true, force: true });
  };
  try {
    await untilReady(child, output);
    const demo = JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8')) as Demo;
    const records = join(dataDir, 'processes');
    const ports = JSON.parse(await readFile(join(dataDir, 'ports.json'), 'utf8')) as Record<string, number>;
    const furtherPorts = namesOf('api', cluster?.apis ?? 1).flatMap((name) => ports[name] ?? []);
    return {
      ...{ demo, dataDir, process: child, output, stop },
      apiUrls: [Number(port), ...furtherPorts].map((one) => `http://127.0.0.1:${one}`),
      processId: (part) => findRecordedProcess(join(records, part)),
      processIds: (part) =>
        readdirSync(records)
          .filter((name) => name.replace(/-\d+$/, '') === part)
          .flatMap((name) => findRecordedProcess(join(records, name)) ?? []),
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A client of the service. It repeats nothing, because a measurement counts what it does. */
export function clientOf({ demo }: RunningService, apiKey = demo.testApiKey): SmsClient {
  return new SmsClient({ baseUrl: demo.baseUrl, apiKey, maxRetries: 0, timeoutSeconds: 120 });
}

function commandOf(cluster: ClusterOptions | undefined): string[] {
  const program = (path: string): string => fileURLToPath(new URL(`../scripts/${path}`, import.meta.url));
  if (cluster === undefined) return [program('start.ts')];
  return [
    ...[program('cluster/start.ts'), '--apis', String(cluster.apis), '--workers', String(cluster.workers)],
    ...(cluster.isPortShared ? ['--share-port'] : []),
    ...(cluster.withPgBouncer ? ['--pgbouncer'] : []),
    ...(cluster.withTemporalOnPostgres ? ['--temporal', 'postgresql'] : []),
  ];
}

function collectOutput(child: ChildProcess): () => string {
  const chunks: string[] = [];
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk));
  }
  child.stderr!.on('data', (chunk: string) => process.stderr.write(chunk));
  return () => chunks.join('');
}

async function untilReady(child: ChildProcess, output: () => string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`npm start ended with ${code}:\n${output()}`)));
    child.once('error', reject);
    // The complete output, because a line may arrive in pieces.
    child.stdout!.on('data', () => /^ready$/m.test(output()) && resolve());
  });
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
