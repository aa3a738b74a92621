import { Migration } from '@mikro-orm/migrations';

/**
 * Redrives of messages and webhook deliveries by filter: docs/decisions/redrives-by-filter.md. They are platform-wide,
 * so the tenants' role has no grant.
 */
export class Migration20261121000012_redrives extends Migration {
  override up(): void {
    this.addSql(`
      create table redrives (
        id uuid primary key,
        kind text not null check (kind in ('messages', 'webhook_deliveries')),
        status text not null check (status in ('pending', 'running', 'completed', 'cancelled', 'failed')),
        created_from timestamptz(3) not null,
        created_to timestamptz(3) not null,
        organization_id uuid,
        error_code text,
        environment text check (environment in ('live', 'test')),
        max_redriven int not null,
        cursor_at timestamptz(3) not null,
        cursor_id uuid not null,
        matched int not null default 0,
        redriven int not null default 0,
        skipped jsonb not null,
        requested_by uuid not null,
        created_at timestamptz(3) not null,
        started_at timestamptz(3),
        ended_at timestamptz(3),
        wake_at timestamptz(3) not null
      );
      create index redrives_overdue on redrives (wake_at) where ended_at is null;
    `);
  }
}
