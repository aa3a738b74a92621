import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findRecordedProcess } from '../scripts/embedded/process-record.mjs';

export interface Demo {
  adminEmail: string;
  adminPassword: string;
  baseUrl: string;
  organizationId: string;
  testApiKey: string;
  liveApiKey: string;
  gatewayToken: string;
  databaseUrl: string;
  temporalAddress: string;
  sender: string;
}

/** What `npm start` runs and keeps running. */
export type PartName = 'postgres' | 'temporal' | 'simulator' | 'worker' | 'api';

export interface RunningService {
  demo: Demo;
  dataDir: string;
  process: ChildProcess;
  /** Its output so far, including the logs of its parts. */
  output: () => string;
  /** The id of the process that currently runs this part; undefined while none runs. */
  processId: (part: PartName) => number | undefined;
  /** Stops everything, and removes its DATA_DIR unless the caller supplied it. Repeated calls are harmless. */
  stop: () => Promise<void>;
}

/**
 * Starts the service as a user does and waits for its `ready`. It uses a new, empty DATA_DIR, or the one in
 * `environment`, which is then kept.
 */
export async function startService(environment: Record<string, string> = {}): Promise<RunningService> {
  const givenDataDir = environment['DATA_DIR'];
  const dataDir = givenDataDir ?? (await mkdtemp(join(tmpdir(), 'sms-service-')));
  const child = spawn(process.execPath, [fileURLToPath(new URL('../scripts/start.ts', import.meta.url))], {
    env: {
      ...process.env,
      PORT: String(await freePort()),
      DATA_DIR: dataDir,
      LOG_LEVEL: 'warn',
      ...environment,
    },
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
    const processId = (part: PartName): number | undefined =>
      findRecordedProcess(join(dataDir, 'processes', part));
    return { demo, dataDir, process: child, output, processId, stop };
  } catch (error) {
    await stop();
    throw error;
  }
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
