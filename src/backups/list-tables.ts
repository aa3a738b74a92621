import type { ClientBase } from 'pg';
import { BackupError } from './backup-manifest.ts';

export interface TableToCopy {
  name: string;
  columns: string[];
}

/** The bookkeeping of migrations: a restore migrates by itself. */
const migrationsTable = 'mikro_orm_migrations';

/**
 * Returns the tables of a backup: all but the unlogged ones, which are counters of the last minutes. Each table follows
 * those that it refers to, so that they can be filled in this order.
 *
 * @throws BackupError if tables refer to each other in a circle
 */
export async function listTables(client: ClientBase): Promise<TableToCopy[]> {
  const { rows: tables } = await client.query<TableToCopy & { refersTo: string[] }>(
    `select relname as name,
       array(
         select attname::text from pg_attribute
         where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = '' order by attnum
       ) as columns,
       array(
         select referenced.relname::text from pg_constraint
         join pg_class referenced on referenced.oid = confrelid
         where contype = 'f' and conrelid = pg_class.oid and confrelid <> conrelid
       ) as "refersTo"
     from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r' and relpersistence = 'p' and relname <> $1
     order by relname`,
    [migrationsTable],
  );
  const ordered: TableToCopy[] = [];
  const placed = new Set<string>();
  let waiting = tables;
  while (waiting.length > 0) {
    const ready = waiting.filter(({ refersTo }) => refersTo.every((name) => placed.has(name)));
    if (ready.length === 0) {
      throw new BackupError(
        `These tables refer to each other in a circle: ${waiting.map(({ name }) => name).join(', ')}.`,
      );
    }
    for (const { name, columns } of ready) {
      ordered.push({ name, columns });
      placed.add(name);
    }
    waiting = waiting.filter(({ name }) => !placed.has(name));
  }
  return ordered;
}

/** Writes names of tables and columns into statements. */
export function quoted(names: string | readonly string[]): string {
  return [names]
    .flat()
    .map((name) => `"${name.replaceAll('"', '""')}"`)
    .join(', ');
}
