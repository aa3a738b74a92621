import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { buildWithGo } from '../embedded/build-with-go.ts';
import { fillCache, findProgram, type Progress } from '../embedded/cache.ts';
import { messageOf } from '../embedded/errors.ts';

const serverVersion = 'v1.31.0';
const serverModule = 'go.temporal.io/server';
const cacheName = `temporal-server-${serverVersion}`;

/** The programs of a Temporal server for production. The CLI's development server knows only SQLite. */
export interface TemporalServerPrograms {
  server: string;
  /** Creates the tables of a SQL store. */
  sqlTool: string;
}

/** The programs on the PATH or in the cache; undefined if `findTemporalServer` would have to build them. */
export function locateTemporalServer(cacheDir: string): TemporalServerPrograms | undefined {
  const [server, sqlTool] = ['temporal-server', 'temporal-sql-tool'].map((name) => findProgram(name));
  if (server !== undefined && sqlTool !== undefined) return { server, sqlTool };
  const cached = join(cacheDir, cacheName);
  return existsSync(cached) ? programsIn(cached) : undefined;
}

/**
 * Obtains the Temporal server: from the PATH, from the cache, or by a build with Go, in this order. Nobody publishes the
 * two programs alone, so there is no download.
 *
 * @param options.cacheDir the project's `.cache`
 * @throws Error that lists every way and why it failed
 */
export async function findTemporalServer(options: {
  cacheDir: string;
  progress: Progress;
}): Promise<TemporalServerPrograms> {
  const { cacheDir, progress } = options;
  const located = locateTemporalServer(cacheDir);
  if (located !== undefined) return located;
  const directory = await fillCache(cacheDir, cacheName, progress, async (draft) => {
    const packages = ['cmd/server', 'cmd/tools/sql'].map(
      (command) => `${serverModule}/${command}@${serverVersion}`,
    );
    const doing = `Building the Temporal server ${serverVersion} for PostgreSQL with Go (about 5 minutes, once)`;
    await buildWithGo({ packages, directory: draft, doing, progress }).catch((error: unknown) => {
      throw new Error(describeFailure(messageOf(error)), { cause: error });
    });
    const { server, sqlTool } = programsIn(draft);
    renameSync(join(draft, 'server'), server);
    renameSync(join(draft, 'sql'), sqlTool);
  });
  return programsIn(directory);
}

function programsIn(directory: string): TemporalServerPrograms {
  return { server: join(directory, 'temporal-server'), sqlTool: join(directory, 'temporal-sql-tool') };
}

function describeFailure(failure: string): string {
  return [
    'No Temporal server for PostgreSQL was found. Tried, in this order:',
    '  - temporal-server and temporal-sql-tool on the PATH: not found',
    "  - the project's cache (.cache): not found",
    `  - ${failure}`,
    'Put both programs on the PATH, or install Go.',
  ].join('\n');
}
