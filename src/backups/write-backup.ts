import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { Client } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { fileOf, manifestName, type BackupManifest } from './backup-manifest.ts';
import { listTables, quoted, type TableToCopy } from './list-tables.ts';

/** Backups contain phone numbers and texts: only the person who runs the command may read them. */
const [privateDirectory, privateFile] = [0o700, 0o600];

/**
 * Writes every table into a new directory below `directory`, as they were at one moment. The service may run meanwhile: the
 * backup is one read-only transaction, and blocks no one. Its memory does not depend on the size of the tables.
 *
 * A backup that is interrupted leaves a directory with the ending `.partial`, which cannot be restored.
 *
 * @param onTable reports each finished table
 * @returns the directory of the backup, and what it contains
 * @throws an error of the connection, or of the disk
 */
export async function writeBackup(options: {
  databaseUrl: string;
  directory: string;
  onTable: (name: string, rows: number) => void;
}): Promise<{ directory: string; manifest: BackupManifest }> {
  const client = new Client({ connectionString: options.databaseUrl });
  await client.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    const { rows } = await client.query<{ takenAt: Date; migration: string }>(
      `select now() as "takenAt", max(name) as migration from mikro_orm_migrations`,
    );
    const { takenAt, migration } = rows[0]!;
    const name = `sms-${new Date(takenAt)
      .toISOString()
      .replace(/\.\d+Z$/, 'Z')
      .replaceAll(':', '-')}`;
    const finished = resolve(options.directory, name);
    const partial = `${finished}.partial`;
    await rm(partial, { recursive: true, force: true });
    await mkdir(partial, { recursive: true, mode: privateDirectory });

    const tables: BackupManifest['tables'] = [];
    for (const table of await listTables(client)) {
      const copied = await copyTable(client, table, partial);
      tables.push({ ...table, ...copied });
      options.onTable(table.name, copied.rows);
    }
    const manifest: BackupManifest = {
      ...{ format: 1, takenAt: new Date(takenAt).toISOString(), migration, tables },
      sequences: await readSequences(client),
    };
    await client.query('commit');
    await writeFile(join(partial, manifestName), `${JSON.stringify(manifest, null, 2)}\n`, {
      mode: privateFile,
      flush: true,
    });
    await rename(partial, finished);
    await syncDirectory(dirname(finished));
    return { directory: finished, manifest };
  } finally {
    await client.end();
  }
}

async function copyTable(
  client: Client,
  { name, columns }: TableToCopy,
  directory: string,
): Promise<{ rows: number; sha256: string }> {
  const source = client.query(copyTo(`copy ${quoted(name)} (${quoted(columns)}) to stdout`));
  const hash = createHash('sha256');
  const hashed = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  const file = createWriteStream(fileOf(directory, name), { mode: privateFile, flush: true });
  // The first level: the disk and PostgreSQL are the limit, not the size.
  await pipeline(source, createGzip({ level: 1 }), hashed, file);
  return { rows: source.rowCount, sha256: hash.digest('hex') };
}

/** Sequences are outside of transactions: their values are at least those of the rows in the backup. */
async function readSequences(client: Client): Promise<BackupManifest['sequences']> {
  const { rows: names } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'S'
       and relpersistence = 'p' and relname not like 'mikro_orm%' order by relname`,
  );
  const sequences: BackupManifest['sequences'] = [];
  for (const { name } of names) {
    const { rows } = await client.query<{ lastValue: string; isCalled: boolean }>(
      `select last_value::text as "lastValue", is_called as "isCalled" from ${quoted(name)}`,
    );
    sequences.push({ name, ...rows[0]! });
  }
  return sequences;
}

/** Makes the new name survive a power failure. */
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
