import { Client } from 'pg';
import type { TestDatabase } from './databases.ts';
import { until } from './until.ts';

/**
 * Begins work while a change is made but not committed, and commits the change once the work waits for it. This is the
 * race in which the change comes first, and a reader has seen the row before the change.
 */
export async function duringChange<T>(
  db: TestDatabase,
  change: { statement: string; parameters: unknown[] },
  work: () => Promise<T>,
): Promise<T> {
  const other = new Client({ connectionString: db.url });
  await other.connect();
  try {
    await other.query('begin');
    await other.query(change.statement, change.parameters);
    const working = work();
    await until('the work that waits', async () => {
      const waiting = await db.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return waiting.length > 0;
    });
    await other.query('commit');
    return await working;
  } finally {
    await other.end();
  }
}
