import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const program = resolve('cli/bin/sms.mjs');

/** How a command ended. */
export interface CommandResult {
  exitCode: number | null;
  stdout: string;
  stderr: string;
  /** Standard output as one JSON document. */
  json: () => Record<string, unknown>;
  /** Standard output as JSON, line by line. */
  lines: () => Record<string, unknown>[];
  /** The problem that --json writes to standard error. */
  problem: () => Record<string, unknown>;
}

/** A command that runs. */
export interface RunningCommand {
  process: ChildProcess;
  stdout: () => string;
  stderr: () => string;
  ended: Promise<CommandResult>;
  /** Sends a signal, and waits for the end. */
  stop: (signal?: NodeJS.Signals) => Promise<CommandResult>;
}

/** The command line of one person, with a configuration of their own. */
export interface CommandLine {
  /** Starts `sms` with these arguments. */
  start: (args: string[], options?: CommandOptions) => RunningCommand;
  /** Runs `sms` with these arguments to its end. */
  run: (args: string[], options?: CommandOptions) => Promise<CommandResult>;
  configDirectory: string;
  /** The environment of the commands. */
  environment: Record<string, string>;
  program: string;
  remove: () => Promise<void>;
}

export interface CommandOptions {
  environment?: Record<string, string>;
  /** What the command reads from standard input. */
  input?: string;
}

/** Creates the command line of a person who has never signed in. */
export async function createCommandLine(environment: Record<string, string> = {}): Promise<CommandLine> {
  const configDirectory = await mkdtemp(join(tmpdir(), 'sms-cli-'));
  const own = {
    PATH: process.env['PATH'] ?? '',
    HOME: configDirectory,
    XDG_CONFIG_HOME: configDirectory,
    ...environment,
  };
  const start: CommandLine['start'] = (args, { environment: further = {}, input } = {}) => {
    const child = spawn(process.execPath, [program, ...args], {
      env: { ...own, ...further },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    return follow(child, input);
  };
  return {
    ...{ start, configDirectory, environment: own, program },
    run: (args, options) => start(args, options).ended,
    remove: () => rm(configDirectory, { recursive: true, force: true }),
  };
}

function follow(child: ChildProcess, input: string | undefined): RunningCommand {
  const written = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]!.setEncoding('utf8').on('data', (chunk: string) => (written[name] += chunk));
  }
  // A command that reads no input may have ended before it is written.
  child.stdin!.on('error', () => undefined).end(input ?? '');
  const ended = once(child, 'close').then(([exitCode]) => resultOf(exitCode as number | null, written));
  return {
    ...{ process: child, ended },
    stdout: () => written.stdout,
    stderr: () => written.stderr,
    stop: (signal = 'SIGINT') => {
      child.kill(signal);
      return ended;
    },
  };
}

function resultOf(
  exitCode: number | null,
  { stdout, stderr }: { stdout: string; stderr: string },
): CommandResult {
  const parse = (text: string): Record<string, unknown> => JSON.parse(text) as Record<string, unknown>;
  return {
    ...{ exitCode, stdout, stderr },
    json: () => parse(stdout),
    lines: () =>
      stdout
        .split('\n')
        .filter((line) => line !== '')
        .map(parse),
    problem: () => parse(stderr),
  };
}
