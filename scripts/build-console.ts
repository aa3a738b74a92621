/**
 * npm run build --workspace console: builds the console of console/ into console/dist, unless it is current. The API
 * serves it at /console.
 */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { buildAndReport, buildPages, root, type Pages } from './embedded/build-pages.ts';
import type { Progress } from './embedded/cache.ts';

const directory = join(root, 'console');

/** What the console knows of the service by its very rules. */
const sharedRules = [
  'messages/segments',
  'contacts/read-column',
  'templates/merge-fields',
  'schedules/recurrence',
].map((name) => join(root, 'src', `${name}.ts`));

const pages: Pages = {
  name: 'console',
  doing: 'Building the console',
  built: join(directory, 'dist'),
  sources: [directory, join(root, 'client/src'), ...sharedRules],
  ignoredNames: ['dist', 'dist.new', 'node_modules', 'README.md'],
  command: (draft) => {
    // The console has another version of Vite than the documentation site.
    const manifest = createRequire(join(directory, 'package.json')).resolve('vite/package.json');
    return [join(dirname(manifest), 'bin/vite.js'), 'build', directory, '--outDir', draft];
  },
};

/**
 * Builds the console if its sources have changed since the last build.
 *
 * @throws Error with the reason, if the console cannot be built
 */
export function buildConsole(progress: Progress): Promise<void> {
  return buildPages(pages, progress);
}

if (import.meta.main) await buildAndReport(pages, '/console');
