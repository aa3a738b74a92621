/**
 * npm run restore -- BACKUP: fills the empty database of DATABASE_URL from a backup, and makes it safe to work with.
 * npm run restore -- --as-of TIME: only the second part, for a database that was restored by other means.
 */
import { parseArgs } from 'node:util';
import { BackupError } from './backups/backup-manifest.ts';
import { describeSettledRestore } from './backups/describe-settled-restore.ts';
import { restoreBackup } from './backups/restore-backup.ts';
import { settleAfterRestore } from './backups/settle-after-restore.ts';
import { loadRestoreConfig } from './config.ts';
import { openDatabase } from './open-database.ts';
import { runCommand } from './process.ts';

const usage = `Usage:
  npm run restore -- BACKUP         fill the empty database of DATABASE_URL from the directory of a backup
  npm run restore -- --as-of TIME   make a database safe that was restored by other means, and shows this time`;

await runCommand(async () => {
  const { backup, asOf } = readArguments(process.argv.slice(2));
  const config = loadRestoreConfig();
  const database = await openDatabase({ url: config.DATABASE_URL, poolSize: 2 });
  try {
    const shownTime = asOf ?? (await fill(database, config.DATABASE_URL, backup!));
    const settled = await settleAfterRestore({
      ...{ database, asOf: shownTime, doubtSeconds: config.SUBMISSION_DOUBT_SECONDS },
      now: () => new Date(),
    });
    process.stdout.write(describeSettledRestore(settled, shownTime));
  } finally {
    await database.close();
  }
});

function readArguments(given: string[]): { backup: string | undefined; asOf: Date | undefined } {
  const options = { 'as-of': { type: 'string' } } as const;
  const { values, positionals } = parseArgs({ args: given, options, allowPositionals: true, strict: false });
  const time = values['as-of'];
  const asOf = typeof time === 'string' ? new Date(time) : undefined;
  const isOne = (positionals.length === 1) !== (asOf !== undefined);
  if (!isOne || Object.keys(values).some((name) => name !== 'as-of')) throw new BackupError(usage);
  if (asOf !== undefined && Number.isNaN(asOf.getTime())) {
    throw new BackupError(`${String(time)} is not a time. Write it like 2026-11-22T08:00:00Z.`);
  }
  return { backup: positionals[0], asOf };
}

async function fill(
  database: Parameters<typeof restoreBackup>[0]['database'],
  databaseUrl: string,
  directory: string,
): Promise<Date> {
  const { takenAt } = await restoreBackup({
    ...{ database, databaseUrl, directory },
    onTable: (name, rows) => process.stdout.write(`${name}: ${rows}\n`),
  });
  return new Date(takenAt);
}
