import { join } from 'node:path';
import { buildWithGo } from '../embedded/build-with-go.ts';
import { fillCache, findProgram, type Progress } from '../embedded/cache.ts';

const version = 'v1.35.0';

/**
 * Obtains oasdiff, which compares two OpenAPI documents: from the PATH, from the cache, or by a build with Go.
 *
 * @param options.cacheDir the project's `.cache`
 * @returns the path of the executable
 * @throws Error if it is missing and cannot be built
 */
export async function findOasdiff(options: { cacheDir: string; progress: Progress }): Promise<string> {
  const installed = findProgram('oasdiff');
  if (installed !== undefined) return installed;
  const { cacheDir, progress } = options;
  const directory = await fillCache(cacheDir, `oasdiff-${version}`, progress, (draft) =>
    buildWithGo({
      packages: [`github.com/oasdiff/oasdiff@${version}`],
      directory: draft,
      doing: `Building oasdiff ${version} with Go (under a minute, once)`,
      progress,
    }),
  );
  return join(directory, 'oasdiff');
}
