import { setTimeout as delay } from 'node:timers/promises';
import { dirname } from 'node:path';
import {
  BadConfiguration,
  describeExit,
  keepRunning,
  refusesConfiguration,
  type KeepRunningOptions,
} from './keep-running.ts';
import { runProcess, startProcess, type ManagedProcess, type ProcessExit } from './managed-process.ts';

/** How long a child may take to finish its work after the signal to stop. */
export const childGraceSeconds = 10;
const readyTimeoutSeconds = 120;
const runTimeoutSeconds = 600;

/**
 * With V8's default size for new objects, an API process takes 340 MB with a thousand streams; with the first flag,
 * 260 MB. The second one lets a process collect the garbage of its start (src/process.ts). The Dockerfile and the scripts
 * of package.json set the same flags.
 */
export const nodeFlags = ['--max-semi-space-size=16', '--expose-gc'];

/**
 * By default, glibc gives the threads of a process up to eight arenas a core, which keep what was freed in them: 12 to
 * 25 MB in a process of the service. The Dockerfile and the scripts of package.json set it too.
 */
export const memoryVariables = { MALLOC_ARENA_MAX: '2' };

/** A program of this project, run by the same Node. */
export interface Child {
  name: string;
  program: string;
  environment: Record<string, string>;
  recordFile: string;
  /** Receives each line of its log. */
  print: (line: string) => void;
}

/**
 * Runs a child until it exits.
 *
 * @throws BadConfiguration if it refuses its variables, Error if it fails otherwise
 */
export async function runChild(child: Child): Promise<void> {
  const exit = await runProcess({ ...processOptions(child), timeoutSeconds: runTimeoutSeconds });
  if (exit.code !== 0) throw failure(child, exit, '');
}

/**
 * Keeps a child running. The child is ready when it sends `ready` on its IPC channel. If the channel breaks, because
 * this process was killed, the child stops by itself.
 *
 * @returns when the child is ready for the first time
 * @throws BadConfiguration if the child refuses its variables, Error if it never becomes ready
 */
export async function keepChildRunning(
  child: Child,
  supervision: Omit<KeepRunningOptions, 'start'>,
): Promise<void> {
  await keepRunning({ ...supervision, start: () => startChild(child) });
}

async function startChild(child: Child): Promise<ManagedProcess> {
  const started = await startProcess({
    ...processOptions(child),
    ipc: true,
    stopSignal: 'SIGTERM',
    graceSeconds: childGraceSeconds,
  });
  const ready = new Promise<'ready'>((resolve) => {
    started.child.on('message', (message) => message === 'ready' && resolve('ready'));
  });
  const outcome = await Promise.race([
    ready,
    started.exited,
    delay(readyTimeoutSeconds * 1000, 'late' as const),
  ]);
  if (outcome === 'ready') return started;
  if (outcome !== 'late') throw failure(child, outcome, ' before it was ready');
  await started.stop();
  throw new Error(`${child.name} was not ready within ${readyTimeoutSeconds} s.`);
}

function processOptions({ name, program, environment, recordFile, print }: Child) {
  return {
    name,
    command: process.execPath,
    arguments: [...nodeFlags, program],
    workingDirectory: dirname(program),
    environment: { ...memoryVariables, ...environment },
    recordFile,
    onLine: print,
  };
}

function failure({ name }: Child, exit: ProcessExit, when: string): Error {
  const reason = `${name} ${describeExit(exit)}${when}; its log is above.`;
  return refusesConfiguration(exit) ? new BadConfiguration(reason) : new Error(reason);
}
