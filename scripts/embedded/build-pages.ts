import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { showProgress, type Progress } from './cache.ts';
import { messageOf } from './errors.ts';
import { runProcess } from './managed-process.ts';
import { releaseLock, takeLock } from './process-record.mjs';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** The record of the sources, within the built pages: the API does not serve files whose name begins with a dot. */
const recordName = '.built-from';
const buildTimeoutSeconds = 300;

/** Pages for browsers that are built from sources of this repository and served by the API. */
export interface Pages {
  /** Names the lock and the process. */
  name: string;
  /** What progress reports, for example `Building the console`. */
  doing: string;
  /** The directory of the built pages. */
  built: string;
  /** The files and directories that the pages are built from, besides the versions of the packages. */
  sources: string[];
  /** Names that are no sources wherever they are, because builds write them. */
  ignoredNames: string[];
  /** The arguments with which Node builds the pages into `draft`. */
  command: (draft: string) => string[];
}

/**
 * Builds pages if their sources have changed since the last build. One process at a time builds; the others wait for
 * it. The old pages are served until the new ones are complete.
 *
 * @throws Error with the reason, if the pages cannot be built
 */
export async function buildPages(pages: Pages, progress: Progress): Promise<void> {
  if (isCurrent(pages)) return;
  mkdirSync(join(root, '.cache'), { recursive: true });
  const lock = join(root, '.cache', `${pages.name}.lock`);
  while (takeLock(lock) !== undefined) await delay(200);
  try {
    if (!isCurrent(pages)) await showProgress(progress, pages.doing, build(pages));
  } finally {
    releaseLock(lock);
  }
}

/** Builds pages as a command of npm: says where they are and where a running API serves them, or why they cannot be built. */
export async function buildAndReport(pages: Pages, path: string): Promise<void> {
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  try {
    await buildPages(pages, print);
    print(`Built in ${relative(process.cwd(), pages.built) || '.'}. A running API serves it at ${path}.`);
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n`);
    process.exitCode = 1;
  }
}

async function build(pages: Pages): Promise<void> {
  const fingerprint = fingerprintOf(pages);
  const draft = `${pages.built}.new`;
  rmSync(draft, { recursive: true, force: true });
  const { code, tail } = await runProcess({
    name: pages.name,
    command: process.execPath,
    arguments: pages.command(draft),
    workingDirectory: root,
    // Under another NODE_ENV, such as that of jest, React and Vue would be built for development.
    environment: { ...process.env, NODE_ENV: 'production' },
    timeoutSeconds: buildTimeoutSeconds,
  });
  if (code !== 0) throw new Error(tail || `The build ended with exit code ${code}.`);
  writeFileSync(join(draft, recordName), fingerprint);
  rmSync(pages.built, { recursive: true, force: true });
  renameSync(draft, pages.built);
}

function isCurrent(pages: Pages): boolean {
  const record = join(pages.built, recordName);
  return existsSync(record) && readFileSync(record, 'utf8') === fingerprintOf(pages);
}

/** A hash of everything that pages are built from: their sources, and the versions of the packages that build them. */
function fingerprintOf({ sources, ignoredNames }: Pages): string {
  const hash = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')));
  const files = sources.flatMap((source) => listFiles(source, new Set(ignoredNames))).toSorted();
  for (const file of files) hash.update(relative(root, file)).update(readFileSync(file));
  return hash.digest('hex');
}

function listFiles(path: string, ignored: Set<string>): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .filter((name) => !ignored.has(name))
    .flatMap((name) => listFiles(join(path, name), ignored));
}
