import { createInterface, type Interface } from 'node:readline';
import { Writable } from 'node:stream';
import { CliError } from './errors.ts';

/** Asks a person, or reads one line of standard input for each question. */
export interface Prompt {
  /** @throws CliError if standard input ends instead */
  ask: (question: string, options?: { isHidden?: boolean }) => Promise<string>;
  close: () => void;
}

/** Opens standard input for questions. They go to standard error, so that results can be piped. */
export function openPrompt(signal: AbortSignal): Prompt {
  const isTerminal = process.stdin.isTTY;
  let isMuted = false;
  const echo = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      if (!isMuted) process.stderr.write(chunk);
      done();
    },
  });
  const lines = createInterface({ input: process.stdin, output: echo, terminal: isTerminal });
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  const next = readLines(lines, signal);
  return {
    ask: async (question, { isHidden = false } = {}) => {
      if (isTerminal) process.stderr.write(question);
      isMuted = isHidden;
      try {
        return (await next(question)).trim();
      } finally {
        isMuted = false;
        if (isHidden && isTerminal) process.stderr.write('\n');
      }
    },
    close: () => lines.close(),
  };
}

/** Lines that arrive before they are asked for are kept. */
function readLines(lines: Interface, signal: AbortSignal): (question: string) => Promise<string> {
  const kept = lines[Symbol.asyncIterator]();
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  aborted.catch(() => undefined);
  return async (question) => {
    const line = await Promise.race([kept.next(), aborted]);
    if (line.done) {
      throw new CliError(
        'usage',
        'no_input',
        `Standard input ended before an answer to "${question.trim()}".`,
      );
    }
    return line.value;
  };
}
