import { createWriteStream, mkdirSync, type WriteStream } from 'node:fs';
import { join } from 'node:path';
import type { ErrorLine } from '../evidence.ts';

/** Keeps the logs of all processes in files, and what the reconciliation needs of them in memory. */
export interface LogWatch {
  /** Receives a line of a process. */
  take: (process: string, line: string) => void;
  errors: ErrorLine[];
  /** Lines that show a text or a number, which no log may do. */
  telling: string[];
  close: () => void;
}

const errorLevel = 50;
/** No log may contain it: it is part of each text and of each number that the clients use. */
const planted = /Planted|2519118\d/;

/** @param directory of the files, one for each process; created if missing */
export function watchLogs(directory: string): LogWatch {
  mkdirSync(directory, { recursive: true });
  const files = new Map<string, WriteStream>();
  const errors: ErrorLine[] = [];
  const telling: string[] = [];
  const fileOf = (process: string): WriteStream => {
    const file = files.get(process) ?? createWriteStream(join(directory, `${process}.log`), { flags: 'a' });
    files.set(process, file);
    return file;
  };
  return {
    errors,
    telling,
    take: (process, line) => {
      // The clock of the process may be stepped.
      const atMs = Date.now();
      fileOf(process).write(`${new Date(atMs).toISOString()} ${line}\n`);
      if (planted.test(line)) telling.push(`${process}: ${line}`);
      const isService = process.startsWith('api') || process.startsWith('worker');
      if (isService && isError(line)) errors.push({ process, atMs, line });
    },
    close: () => files.forEach((file) => file.end()),
  };
}

/** A line of level error or above; and a line that is no JSON, which a process writes only when it breaks. */
function isError(line: string): boolean {
  if (!line.startsWith('{')) return line.trim() !== '' && !isHarmless(line);
  try {
    return (JSON.parse(line) as { level: number }).level >= errorLevel;
  } catch {
    return true;
  }
}

/** Temporal's SDK writes its own warnings without JSON. */
function isHarmless(line: string): boolean {
  return /^\S*\s*(WARN|INFO|DEBUG)\b/.test(line) || /\b(WARN|INFO)\b.*temporal/.test(line);
}
