import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { CommandError } from '../process.ts';

/** The name of the file that describes a backup. It is written last, so a directory without it is not a backup. */
export const manifestName = 'manifest.json';

const table = z.strictObject({
  name: z.string(),
  /** The stored columns, in the order of the file. */
  columns: z.array(z.string()).min(1),
  rows: z.int().nonnegative(),
  /** The SHA-256 of the compressed file, in hex. */
  sha256: z.string(),
});

const manifest = z.strictObject({
  format: z.literal(1),
  /** The moment that the backup shows: nothing that was committed later is in it. */
  takenAt: z.iso.datetime(),
  /** The last migration of the database. */
  migration: z.string(),
  /** In an order in which each table follows those that it refers to. */
  tables: z.array(table),
  sequences: z.array(z.strictObject({ name: z.string(), lastValue: z.string(), isCalled: z.boolean() })),
});

/** What a backup contains. Each table is in a file of its own: COPY in text format, compressed with gzip. */
export type BackupManifest = z.infer<typeof manifest>;

/** The file of a table, in the directory of the backup. */
export function fileOf(directory: string, tableName: string): string {
  return join(directory, `${tableName}.copy.gz`);
}

/** A backup cannot be written or restored. */
export class BackupError extends CommandError {
  override name = 'BackupError';
}

/** @throws BackupError if the directory has no complete backup */
export async function readManifest(directory: string): Promise<BackupManifest> {
  let text: string;
  try {
    text = await readFile(join(directory, manifestName), 'utf8');
  } catch {
    throw new BackupError(
      `${directory} has no ${manifestName}: it is not a backup, or the backup was interrupted. Name the directory that \`npm run backup\` printed.`,
    );
  }
  const read = manifest.safeParse(JSON.parse(text));
  if (!read.success) throw new BackupError(`${manifestName} is damaged: ${z.prettifyError(read.error)}`);
  return read.data;
}
