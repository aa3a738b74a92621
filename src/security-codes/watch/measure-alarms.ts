import { sql } from 'kysely';
import { sqlOf, type Database } from '../../database.ts';
import { metrics } from '../../metrics.ts';

/** Measures how many alarms last, of all organizations. It reads the index of open alarms, which has few entries. */
export async function measureAlarms(database: Database, now: () => Date): Promise<void> {
  const { rows } = await sql<{ holding: number; warning: number }>`
    select count(*) filter (where holds)::int as holding, count(*) filter (where not holds)::int as warning
    from security_code_alarms where ended_at is null and ends_at > ${now()}
  `.execute(sqlOf(database));
  const { holding, warning } = rows[0]!;
  metrics.securityCodeAlarms.set({ state: 'refused' }, holding);
  metrics.securityCodeAlarms.set({ state: 'sent' }, warning);
}
