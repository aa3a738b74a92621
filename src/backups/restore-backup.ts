import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { Database } from '../database.ts';
import { BackupError, fileOf, readManifest, type BackupManifest } from './backup-manifest.ts';
import { listTables, quoted } from './list-tables.ts';

/**
 * Fills an empty database from a backup: migrates it to the backup's version, copies the rows, and migrates it to this
 * version. The rows are copied in one transaction, so an interrupted restore leaves an empty database and can be
 * repeated.
 *
 * Call `settleAfterRestore` before anything else works with the database.
 *
 * @param onTable reports each finished table
 * @throws BackupError if the backup is damaged or of a newer version, or the database is not empty; then nothing was
 *   changed
 */
export async function restoreBackup(options: {
  database: Database;
  databaseUrl: string;
  directory: string;
  onTable: (name: string, rows: number) => void;
}): Promise<BackupManifest> {
  const { database, directory, onTable } = options;
  const manifest = await readManifest(directory);
  for (const table of manifest.tables) await checkFile(directory, table);
  const client = new Client({ connectionString: options.databaseUrl });
  await client.connect();
  try {
    await requireEmpty(client);
    await migrateTo(database, manifest.migration);
    await client.query('begin');
    for (const table of manifest.tables) {
      await fillTable(client, table, directory);
      onTable(table.name, table.rows);
    }
    for (const { name, lastValue, isCalled } of manifest.sequences) {
      await client.query('select setval($1::regclass, $2, $3)', [quoted(name), lastValue, isCalled]);
    }
    await client.query('commit');
    await database.migrator.up();
    // Without statistics, PostgreSQL plans the first queries as if the tables were empty.
    await client.query('analyze');
    return manifest;
  } finally {
    await client.end();
  }
}

async function checkFile(
  directory: string,
  { name, sha256 }: BackupManifest['tables'][number],
): Promise<void> {
  const hash = createHash('sha256');
  try {
    await pipeline(createReadStream(fileOf(directory, name)), hash);
  } catch (error) {
    throw new BackupError(`The file of the table ${name} cannot be read: ${String(error)}`);
  }
  if (hash.digest('hex') !== sha256) {
    throw new BackupError(
      `The file of the table ${name} is damaged: its SHA-256 differs. Use another backup.`,
    );
  }
}

async function requireEmpty(client: Client): Promise<void> {
  for (const { name } of await listTables(client)) {
    const { rowCount } = await client.query(`select from ${quoted(name)} limit 1`);
    if (rowCount !== 0) {
      throw new BackupError(
        `The database is not empty: the table ${name} has rows. Restore into an empty database: \`create database …\`, and set DATABASE_URL to it.`,
      );
    }
  }
}

async function migrateTo(database: Database, migration: string): Promise<void> {
  const all = [...(await database.migrator.getExecuted()), ...(await database.migrator.getPending())];
  if (!all.some(({ name }) => name === migration)) {
    throw new BackupError(
      `The backup is of a newer version: it has the migration ${migration}. Restore it with that version of the service.`,
    );
  }
  await database.migrator.up({ to: migration });
}

/** Triggers count and cancel what the rows already contain, so they are off while the rows are copied. */
async function fillTable(
  client: Client,
  { name, columns, rows }: BackupManifest['tables'][number],
  directory: string,
): Promise<void> {
  const table = quoted(name);
  await client.query(`alter table ${table} disable trigger user`);
  const target = client.query(copyFrom(`copy ${table} (${quoted(columns)}) from stdin`));
  await pipeline(createReadStream(fileOf(directory, name)), createGunzip(), target);
  if (target.rowCount !== rows) {
    throw new BackupError(`The table ${name} has ${target.rowCount} rows in the file, not ${rows}.`);
  }
  await client.query(`alter table ${table} enable trigger user`);
}
