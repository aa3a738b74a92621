/** npm run backup -- DIRECTORY: writes a backup of the database into a new directory below DIRECTORY. */
import { writeBackup } from './backups/write-backup.ts';
import { loadDatabaseConfig } from './config.ts';
import { runCommand } from './process.ts';

const usage = 'Usage: npm run backup -- DIRECTORY\n';

await runCommand(async () => {
  const [directory, ...rest] = process.argv.slice(2);
  if (directory === undefined || rest.length > 0) {
    process.stderr.write(usage);
    process.exit(2);
  }
  const { DATABASE_URL } = loadDatabaseConfig();
  const written = await writeBackup({
    databaseUrl: DATABASE_URL,
    directory,
    onTable: (name, rows) => process.stdout.write(`${name}: ${rows}\n`),
  });
  process.stdout.write(
    `The backup shows the database at ${written.manifest.takenAt}. It contains phone numbers and texts: keep it where only you can read it.\n${written.directory}\n`,
  );
});
