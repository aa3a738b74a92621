import { Migration } from '@mikro-orm/migrations';
import { behindWall } from './organization-wall.ts';

/**
 * Bulk batches, their frozen recipients, and the rates at which all processes together send:
 * docs/decisions/bulk-batches.md.
 */
export class Migration20261121000018_bulk_sms extends Migration {
  override up(): void {
    this.addSql(`
      create table bulk_batches (
        id uuid primary key,
        organization_id uuid not null
          constraint bulk_batches_organization_id_foreign references organizations on delete cascade,
        environment text not null check (environment in ('live', 'test')),
        campaign_id uuid not null
          constraint bulk_batches_campaign_id_foreign references campaigns,
        contact_list_id uuid not null,
        text text not null,
        sender text not null,
        status text not null check (status in (
          'pending', 'scheduled', 'processing', 'paused', 'completed', 'cancelled', 'failed'
        )),
        scheduled_at timestamptz(3),
        rate_per_second int,
        total int not null default 0,
        next_position int not null default 1,
        window_started_at timestamptz(3),
        window_made int not null default 0,
        measured_per_second double precision,
        settled_counts jsonb,
        failure text,
        created_by_kind text not null check (created_by_kind in ('api_key', 'user')),
        created_by_id uuid not null,
        wake_at timestamptz(3),
        created_at timestamptz(3) not null,
        started_at timestamptz(3),
        completed_at timestamptz(3)
      );
      create index bulk_batches_list on bulk_batches (organization_id, environment, id);
      create index bulk_batches_of_campaign on bulk_batches (campaign_id);
      create index bulk_batches_overdue on bulk_batches (wake_at) where wake_at is not null;
      ${behindWall('bulk_batches', 'select, insert, update')}

      -- No foreign key: a batch may have a hundred thousand rows, and batches are never deleted.
      create table bulk_recipients (
        batch_id uuid not null,
        position int not null,
        organization_id uuid not null,
        contact_id uuid not null,
        recipient text not null,
        fields jsonb,
        refusal text
          check (refusal in ('recipient_opted_out', 'duplicate_recipient', 'invalid_recipient')),
        message_id uuid,
        primary key (batch_id, position)
      );
      ${behindWall('bulk_recipients', 'select, insert, update')}

      -- Rates belong to the platform. After a crash of the database they start anew, at the cost of a chunk each.
      create unlogged table sending_rates (
        subject text primary key,
        free_at timestamptz(6) not null
      );
    `);
  }
}
