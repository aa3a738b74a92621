import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../../helpers/until.ts';

export interface Output {
  code: number;
  stdout: string;
  stderr: string;
}

/** The terminals of one reader, all in one directory. */
export interface Terminals {
  directory: string;
  /** Runs commands to their end in the first terminal, a bash that keeps its variables. */
  run: (commands: string) => Promise<Output>;
  /** Starts commands in another terminal. Returns a function that reads their output so far. */
  start: (commands: string) => () => string;
  /** Ends everything that the terminals started, and removes the directory. */
  close: () => Promise<void>;
}

const limitMs = 30_000;

/** Opens the terminals of a reader. */
export function openTerminals(environment: Record<string, string>): Terminals {
  const directory = mkdtempSync(join(tmpdir(), 'reader-'));
  const started: ChildProcess[] = [];
  const bash = (commands: string[]): ChildProcess => {
    const child = spawn('bash', commands, {
      cwd: directory,
      env: { ...process.env, ...environment },
      // A group of its own, so that what runs in the terminal ends with it.
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    started.push(child);
    return child;
  };
  const first = bash(['--noprofile', '--norc']);
  let count = 0;

  return {
    directory,
    run: async (commands) => {
      const file = join(directory, `.block-${(count += 1)}`);
      writeFileSync(file, commands);
      first.stdin!.write(
        `source ${file} </dev/null >${file}.out 2>${file}.err; echo $? >${file}.rc.new; mv ${file}.rc.new ${file}.rc\n`,
      );
      const read = (ending: string): string => readFileSync(`${file}.${ending}`, 'utf8');
      const code = await until('the commands to end', () => readOrNothing(`${file}.rc`), limitMs);
      return { code: Number(code), stdout: read('out'), stderr: read('err') };
    },
    start: (commands) => {
      const chunks: string[] = [];
      const child = bash(['--noprofile', '--norc', '-c', commands]);
      for (const stream of [child.stdout!, child.stderr!]) {
        stream.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk));
      }
      return () => chunks.join('');
    },
    close: async () => {
      for (const child of started) {
        if (child.exitCode !== null || child.signalCode !== null) continue;
        const exited = once(child, 'exit');
        process.kill(-child.pid!, 'SIGKILL');
        await exited;
      }
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function readOrNothing(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
