import { sql } from 'kysely';
import { sqlOf, type Database } from '../database.ts';
import { metrics } from '../metrics.ts';

/** Measures how many bulk batches are being sent, by the index of those that are expected to act. */
export async function measureRunningBatches(database: Database): Promise<void> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from bulk_batches where wake_at is not null and status = 'processing'
  `.execute(sqlOf(database));
  metrics.bulkBatches.set({ status: 'processing' }, rows[0]!.count);
}
