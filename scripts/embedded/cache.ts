import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { releaseLock, takeLock } from './process-record.mjs';

/** Shows the user the progress of slow work, one line at a time. */
export type Progress = (line: string) => void;

/**
 * Fills a directory of the cache once. One process at a time builds it under another name and renames it when it is
 * complete, so neither a crash nor a second start can leave a partial directory.
 *
 * @param build fills the given directory; throws if it cannot
 * @returns the filled directory
 */
export async function fillCache(
  cacheDir: string,
  name: string,
  progress: Progress,
  build: (directory: string) => Promise<void>,
): Promise<string> {
  const directory = resolve(cacheDir, name);
  if (existsSync(directory)) return directory;
  mkdirSync(dirname(directory), { recursive: true });
  const lock = `${directory}.lock`;
  let announced = false;
  for (let holder = takeLock(lock); holder !== undefined; holder = takeLock(lock)) {
    if (!announced) progress(`Waiting for process ${holder}, which is obtaining ${name}.`);
    announced = true;
    await delay(500);
  }
  try {
    if (existsSync(directory)) return directory;
    const prefix = `${name}.partial-`;
    for (const entry of readdirSync(cacheDir)) {
      if (entry.startsWith(prefix)) rmSync(join(cacheDir, entry), { recursive: true, force: true });
    }
    const draft = mkdtempSync(`${directory}.partial-`);
    try {
      await build(draft);
      chmodSync(draft, 0o755); // mkdtemp's 0700 would hide it from every user except the one who filled it.
      renameSync(draft, directory);
    } finally {
      rmSync(draft, { recursive: true, force: true });
    }
    return directory;
  } finally {
    releaseLock(lock);
  }
}

/** Prints what is being done, and every ten seconds that it is still in progress. */
export async function showProgress<T>(progress: Progress, doing: string, work: Promise<T>): Promise<T> {
  progress(`${doing} …`);
  const startedAt = Date.now();
  const timer = setInterval(() => {
    progress(`${doing} … ${Math.round((Date.now() - startedAt) / 1000)} s so far`);
  }, 10_000);
  return work.finally(() => clearInterval(timer));
}

/** The full path of a program, from the PATH or one of the other directories. */
export function findProgram(name: string, otherDirectories: string[] = []): string | undefined {
  const directories = [...(process.env.PATH ?? '').split(delimiter), ...otherDirectories];
  return directories
    .filter((directory) => directory !== '')
    .map((directory) => join(directory, name))
    .find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
