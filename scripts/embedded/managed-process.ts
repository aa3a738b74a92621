import { spawn, type ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { codeOf } from './errors.ts';
import { findRecordedProcess, recordProcess } from './process-record.mjs';

export interface ProcessOptions {
  /** Its name in the log and in `stopProcesses`. */
  name: string;
  command: string;
  arguments: string[];
  /** The working directory. Default `/`, which every user may enter. */
  workingDirectory?: string;
  environment?: NodeJS.ProcessEnv;
  /** Removes permissions from the files that it creates. Default: the umask of this process. */
  umask?: number;
  /** The user that it runs as. Default: the user of this process. */
  account?: { uid: number; gid: number };
  /** The file that records its pid, so that a later run can end the process if this run could not. */
  recordFile?: string;
  /** The signal that asks it to end cleanly, and the time until SIGKILL. */
  stopSignal: NodeJS.Signals;
  graceSeconds: number;
  /** Gives a Node child an IPC channel, on which it sends `ready`. */
  ipc?: boolean;
  /** Receives each line that it prints. */
  onLine: (line: string, stream: 'stdout' | 'stderr') => void;
}

export interface ProcessExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface ManagedProcess {
  name: string;
  child: ChildProcess;
  pid: number;
  /** Resolves when the process has ended and all its output was read. Never rejects. */
  exited: Promise<ProcessExit>;
  /** Asks it to end, kills it after the grace time, and resolves when it is gone. Repeated calls are harmless. */
  stop: () => Promise<void>;
}

const running = new Set<ManagedProcess>();

// Runs next to each process. It holds the other end of a pipe, so it wakes when this process dies in any way, kill -9
// included, and ends the process that it watches. Without it, a killed `npm start` or `npm test` would leave its
// servers running forever. $1: process group, $2: signal, $3: grace time in seconds.
const watchScript = `
  read -r line
  kill -s "$2" -- "-$1" 2>/dev/null
  while [ "$3" -gt 0 ] && kill -0 "$1" 2>/dev/null; do sleep 1; set -- "$1" "$2" $(($3 - 1)); done
  kill -s KILL -- "-$1" 2>/dev/null
`;

/**
 * Starts a process in its own process group. The terminal's Ctrl-C does not reach it there, so this module decides the
 * order in which processes stop.
 *
 * @throws Error if it cannot be started
 */
export async function startProcess(options: ProcessOptions): Promise<ManagedProcess> {
  const child = spawnWithUmask(options);
  const exited = new Promise<ProcessExit>((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error) => reject(new Error(`Cannot start ${options.name}: ${error.message}`)));
  });
  child.on('error', () => undefined); // A failed kill or IPC message. Callers use `exited`.
  const { pid, stdout, stderr } = child;
  if (pid === undefined || stdout === null || stderr === null)
    throw new Error(`Cannot start ${options.name}.`);
  if (options.recordFile !== undefined) recordProcess(options.recordFile, pid);
  const watcher = spawn(
    '/bin/sh',
    ['-c', watchScript, 'watch', String(pid), signalName(options.stopSignal), String(options.graceSeconds)],
    { cwd: '/', detached: true, stdio: ['pipe', 'ignore', 'ignore'] },
  );
  watcher.on('error', () => undefined); // Without /bin/sh, the next run can still use the recorded pids.
  watcher.unref();
  readLines(stdout, (line) => options.onLine(line, 'stdout'));
  readLines(stderr, (line) => options.onLine(line, 'stderr'));

  let stopped: Promise<void> | undefined;
  const managed: ManagedProcess = {
    name: options.name,
    child,
    pid,
    exited,
    stop: () => (stopped ??= endProcess(managed, options)),
  };
  running.add(managed);
  // 'exit' occurs before 'close', which waits for grandchildren that hold the pipes.
  child.once('exit', () => {
    running.delete(managed);
    watcher.kill('SIGKILL');
    if (options.recordFile !== undefined) rmSync(options.recordFile, { force: true });
  });
  return managed;
}

/** A child inherits the umask. spawn has no option for it, but forks before it returns. */
function spawnWithUmask(options: ProcessOptions): ChildProcess {
  const ownUmask = process.umask();
  if (options.umask !== undefined) process.umask(options.umask);
  try {
    return spawn(options.command, options.arguments, {
      cwd: options.workingDirectory ?? '/',
      env: options.environment ?? process.env,
      ...options.account,
      detached: true,
      stdio: options.ipc === true ? ['ignore', 'pipe', 'pipe', 'ipc'] : ['ignore', 'pipe', 'pipe'],
    });
  } finally {
    process.umask(ownUmask);
  }
}

/** Stops the processes with these names in parallel. Without names, stops all. */
export async function stopProcesses(names?: string[]): Promise<void> {
  const chosen = [...running].filter(({ name }) => names === undefined || names.includes(name));
  await Promise.all(chosen.map((managed) => managed.stop()));
}

/** Whether a process that this module started still runs. */
export function isAnyRunning(): boolean {
  return running.size > 0;
}

/** Kills all running processes immediately. */
export function killProcesses(): void {
  for (const { pid } of running) signalGroup(pid, 'SIGKILL');
}

/**
 * Ends a process that an earlier run recorded and left behind, and waits until it is gone. If the pid now belongs to
 * another process, nothing happens.
 */
export async function stopRecordedProcess(
  recordFile: string,
  stopSignal: NodeJS.Signals,
  graceSeconds: number,
): Promise<void> {
  const killAt = Date.now() + graceSeconds * 1000;
  let signal: NodeJS.Signals | undefined = stopSignal;
  for (;;) {
    const pid = findRecordedProcess(recordFile);
    if (pid === undefined) break;
    if (signal !== undefined) signalGroup(pid, signal);
    await delay(100);
    signal = Date.now() > killAt ? 'SIGKILL' : undefined;
  }
  rmSync(recordFile, { force: true });
}

/**
 * Runs a process until it exits.
 *
 * @param timeoutSeconds after this time it is stopped and counts as failed
 * @returns its exit and its last lines of output, for an error message
 */
export async function runProcess(
  options: Omit<ProcessOptions, 'stopSignal' | 'graceSeconds' | 'onLine'> & {
    timeoutSeconds: number;
    onLine?: ProcessOptions['onLine'];
  },
): Promise<ProcessExit & { tail: string }> {
  const tail: string[] = [];
  const managed = await startProcess({
    ...options,
    stopSignal: 'SIGTERM',
    graceSeconds: 5,
    onLine: (line, stream) => {
      tail.push(line);
      if (tail.length > 20) tail.shift();
      options.onLine?.(line, stream);
    },
  });
  const timeout = setTimeout(() => void managed.stop(), options.timeoutSeconds * 1000);
  const exit = await managed.exited.finally(() => clearTimeout(timeout));
  return { ...exit, tail: tail.join('\n') };
}

async function endProcess(managed: ManagedProcess, options: ProcessOptions): Promise<void> {
  const { child, pid } = managed;
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const insist = setTimeout(() => signalGroup(pid, 'SIGKILL'), options.graceSeconds * 1000);
  signalGroup(pid, options.stopSignal);
  await gone.finally(() => clearTimeout(insist));
}

// The id of a group is the pid of its first process. Processes that this one started end with it.
function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if (codeOf(error) === 'ESRCH') return;
    const advice = `Process ${pid} cannot be stopped: stop it manually, or start as the user that owns it.`;
    throw new Error(advice, { cause: error });
  }
}

function signalName(signal: NodeJS.Signals): string {
  return signal.replace(/^SIG/, '');
}

function readLines(stream: Readable, onLine: (line: string) => void): void {
  createInterface({ input: stream, crlfDelay: Infinity }).on('line', onLine);
}
