import { Migration } from '@mikro-orm/migrations';
import { behindWall } from './organization-wall.ts';
import { expectFewOrganizations } from './table-statistics.ts';

/**
 * Sums of whole days, for long reports: docs/decisions/days-rolled-up.md. The worker fills the tables, also with days
 * that exist before this migration; until then, reports are read from the counts of slots.
 */
export class Migration20261122000001_days_of_analytics extends Migration {
  override up(): void {
    this.addSql(`
      create table rolled_up_days (
        organization_id uuid not null,
        first_slot timestamptz(3) not null,
        next_slot timestamptz(3) not null,
        primary key (organization_id, first_slot),
        constraint rolled_up_days_length_check
          check (next_slot > first_slot and next_slot - first_slot <= '48:00:00'::interval)
      );
      create table message_day_counts (
        ${slotOfSender},
        bulk_batch_id uuid not null,
        error_code text not null,
        ${counters},
        primary key (organization_id, environment, slot, sender, bulk_batch_id, error_code)
      );
      create table delivery_time_day_counts (
        ${slotOfSender},
        bucket smallint not null,
        messages int not null,
        primary key (organization_id, environment, slot, sender, bucket)
      );
      create table roll_up_progress (
        organization_id uuid primary key
          constraint roll_up_progress_organization_id_foreign references organizations on update cascade on delete cascade,
        timezone text,
        rolled_up_to timestamptz(3) not null
      );
    `);
    // Organizations may read their sums; only the worker, which is the owner, writes them.
    for (const table of ['rolled_up_days', 'message_day_counts', 'delivery_time_day_counts'])
      this.addSql(behindWall(table, 'select') + expectFewOrganizations(table));
  }
}

// There is no foreign key: the fold deletes the sums of an organization that is deleted, together with its counts.
const slotOfSender = `
        organization_id uuid not null,
        environment text not null check (environment in ('live', 'test')),
        slot timestamptz(3) not null,
        sender text not null`;

const counters = ['queued', 'accepted', 'sent', 'delivered', 'failed', 'cancelled', 'segments']
  .map((name) => `${name} int not null`)
  .join(', ');
