/**
 * npm run migrate [-- --roles]: migrates the database. With --roles it also makes the roles sms_api and sms_worker, and
 * gives them what the processes need: docs/production.md.
 */
import { loadDatabaseConfig } from './config.ts';
import { openDatabase } from './open-database.ts';
import { createLog } from './log.ts';
import { grantRoles } from './operations/grant-roles.ts';
import { runToEnd } from './process.ts';

await runToEnd(async () => {
  const config = loadDatabaseConfig();
  const log = createLog('migrate', config.LOG_LEVEL);
  const database = await openDatabase({ url: config.DATABASE_URL, poolSize: 2 });
  try {
    const applied = await database.migrator.up();
    if (process.argv.includes('--roles')) await grantRoles(database);
    log.info({ migrations: applied.map(({ name }) => name) }, 'the database is up to date');
  } finally {
    await database.close();
  }
});
