import { loadDatabaseConfig } from './config.ts';
import { openDatabase } from './open-database.ts';
import { createLog } from './log.ts';
import { runToEnd } from './process.ts';

await runToEnd(async () => {
  const config = loadDatabaseConfig();
  const log = createLog('migrate', config.LOG_LEVEL);
  const database = await openDatabase({ url: config.DATABASE_URL, poolSize: 2 });
  try {
    const applied = await database.migrator.up();
    log.info({ migrations: applied.map(({ name }) => name) }, 'the database is up to date');
  } finally {
    await database.close();
  }
});
