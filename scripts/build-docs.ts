/**
 * npm run docs: builds the documentation site of docs/ into docs/.vitepress/dist, unless it is current. The API serves
 * it at /docs.
 */
import { join } from 'node:path';
import { buildAndReport, buildPages, root, type Pages } from './embedded/build-pages.ts';
import type { Progress } from './embedded/cache.ts';

const docs = join(root, 'docs');

const pages: Pages = {
  name: 'docs',
  doing: 'Building the documentation',
  built: join(docs, '.vitepress', 'dist'),
  sources: [docs, join(root, 'CHANGELOG.md'), join(root, 'client/README.md')],
  ignoredNames: ['dist', 'dist.new', '.temp', 'cache'],
  command: (draft) => [
    join(root, 'node_modules/vitepress/bin/vitepress.js'),
    ...['build', docs, '--outDir', draft],
  ],
};

/**
 * Builds the site if its sources have changed since the last build.
 *
 * @throws Error with the reason, if the site cannot be built
 */
export function buildDocs(progress: Progress): Promise<void> {
  return buildPages(pages, progress);
}

if (import.meta.main) await buildAndReport(pages, '/docs');
