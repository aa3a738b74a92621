import type { TestDatabase } from './databases.ts';

/**
 * Returns the rows of all tables that have one of the texts: what a search of a dump of the data finds. Bytes are
 * searched as they are written in a dump, and as the text that they may be.
 */
export async function searchDatabase(db: TestDatabase, texts: string[]): Promise<string[]> {
  const tables = await db.query<{ name: string }>(
    `select relname as name from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace order by 1`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await db.query<{ row: string }>(`select t::text as row from "${name}" t`);
    for (const { row } of rows) {
      const bytes = [...row.matchAll(/\\x([0-9a-f]+)/g)].map(([, hex]) =>
        Buffer.from(hex!, 'hex').toString('latin1'),
      );
      if (texts.some((text) => [row, ...bytes].some((one) => one.includes(text))))
        found.push(`${name}: ${row}`);
    }
  }
  return found;
}
