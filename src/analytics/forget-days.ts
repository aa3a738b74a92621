import { sql } from 'kysely';
import type { Sql } from '../database.ts';
import { environments } from '../principal.ts';
import { recordset } from '../recordset.ts';
import { countTables } from './count-tables.ts';

/** A slot of an organization whose counts have changed. */
export interface ChangedSlot {
  organizationId: string;
  slot: string;
}

/** A rolled-up day. */
interface RolledUp {
  organizationId: string;
  firstSlot: string;
}

/**
 * Deletes the sums of the rolled-up days that contain one of the slots, in the transaction that changes the counts.
 * Such a change is rare, because the messages of a rolled-up day are final: they have been deleted, or the deltas were
 * not folded for days. The days are then read from their slots, and rolled up again within minutes.
 */
export async function forgetChangedDays(db: Sql, changed: ChangedSlot[]): Promise<void> {
  const slots = recordset(changed, 'changed', { organizationId: 'uuid', slot: 'timestamptz' });
  // `offset 0` makes the planner look up each slot by the key, instead of reading all days.
  const { rows } = await sql<RolledUp>`
    with lowered as (
      update roll_up_progress set rolled_up_to = first
      from (select "organizationId", min(slot) as first from ${slots} group by 1) changed
      where organization_id = "organizationId" and rolled_up_to > first
    )
    select distinct day.* from ${slots} cross join lateral (
      select organization_id as "organizationId", first_slot as "firstSlot" from rolled_up_days
      where organization_id = changed."organizationId" and first_slot <= changed.slot and next_slot > changed.slot
        and first_slot > changed.slot - interval '48 hours'
      offset 0
    ) day
  `.execute(db);
  if (rows.length > 0) await deleteDays(db, rows);
}

async function deleteDays(db: Sql, days: RolledUp[]): Promise<void> {
  const given = recordset(days, 'day', { organizationId: 'uuid', firstSlot: 'timestamptz' });
  await sql`
    delete from rolled_up_days using ${given}
    where organization_id = "organizationId" and first_slot = "firstSlot"
  `.execute(db);
  for (const { dayCounts } of countTables) {
    await sql`
      delete from ${sql.table(dayCounts)} using ${given}
      where organization_id = "organizationId" and slot = "firstSlot" and environment = any (${[...environments]}::text[])
    `.execute(db);
  }
}

/** Deletes the sums of all days of these organizations, for example because their time zone has changed. */
export async function forgetAllDays(db: Sql, organizationIds: string[]): Promise<void> {
  for (const table of ['rolled_up_days', ...countTables.map(({ dayCounts }) => dayCounts)]) {
    await sql`delete from ${sql.table(table)} where organization_id = any (${organizationIds}::uuid[])`.execute(
      db,
    );
  }
}
