import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../../scripts/embedded/postgres.ts';
import { bundleWorkflows } from '../../src/bundle-workflows.ts';
import { openDatabase } from '../../src/open-database.ts';
import { runAsAdmin, templateDatabase, withDatabase } from './databases.ts';

/**
 * Starts one real PostgreSQL for the whole run, with a migrated template that each test file clones, and builds one
 * bundle of the workflows. The data are temporary, so the server does not make them survive a crash, which is faster.
 *
 * This is plain JavaScript, because Jest loads an .mjs module as Node does, together with the TypeScript it imports.
 */
export default async function setUp() {
  const directory = await mkdtemp(join(tmpdir(), 'sms-test-'));
  const bundleFile = join(directory, 'workflow-bundle.js');
  const [postgres] = await Promise.all([
    startPostgres({
      dataDir: directory,
      settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' },
      log: () => undefined,
    }),
    bundleWorkflows().then(({ code }) => writeFile(bundleFile, code)),
  ]);
  globalThis.stopTestServers = async () => {
    await postgres.stop();
    await rm(directory, { recursive: true, force: true });
  };
  process.env['TEST_POSTGRES_URL'] = postgres.url;
  process.env['TEST_WORKFLOW_BUNDLE'] = bundleFile;
  await runAsAdmin(`create database ${templateDatabase}`);
  const database = await openDatabase({ url: withDatabase(templateDatabase), poolSize: 2 });
  await database.migrator.up();
  await database.close();
}
