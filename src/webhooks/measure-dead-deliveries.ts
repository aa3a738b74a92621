import { sql } from 'kysely';
import { sqlOf, type Database } from '../database.ts';
import { metrics } from '../metrics.ts';

/** Counting more would read more of the index at each scrape. */
const countedRows = 100_000;

/** Measures the length of the dead-letter queue, of all organizations. */
export async function measureDeadDeliveries(database: Database): Promise<void> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from webhook_deliveries where status = 'dead' limit ${countedRows}
    ) dead
  `.execute(sqlOf(database));
  metrics.webhookDeliveries.set({ status: 'dead' }, rows[0]!.count);
}
