import { Migration } from '@mikro-orm/migrations';
import { behindWall } from './organization-wall.ts';

/** Schedules of messages, and the record of their runs: docs/decisions/schedules.md. */
export class Migration20261121000011_schedules extends Migration {
  override up(): void {
    this.addSql(`
      create table message_schedules (
        id uuid primary key,
        organization_id uuid not null
          constraint message_schedules_organization_id_foreign references organizations on delete cascade,
        environment text not null check (environment in ('live', 'test')),
        sender text,
        recipient text not null,
        text text not null,
        starts_at timestamptz(3) not null,
        ends_at timestamptz(3),
        timezone text not null,
        recurrence_unit text check (recurrence_unit in ('minute', 'hour', 'day', 'week', 'month', 'year')),
        recurrence_interval smallint,
        status text not null check (status in ('active', 'paused', 'completed', 'cancelled')),
        next_run_at timestamptz(3),
        last_run_at timestamptz(3),
        created_count int not null default 0,
        failed_count int not null default 0,
        missed_count int not null default 0,
        skipped_count int not null default 0,
        wake_at timestamptz(3),
        created_at timestamptz(3) not null
      );
      create index message_schedules_list on message_schedules (organization_id, environment, id);
      create index message_schedules_overdue on message_schedules (wake_at) where status = 'active';
      ${behindWall('message_schedules', 'select, insert, update, delete')}

      create table schedule_runs (
        schedule_id uuid not null
          constraint schedule_runs_schedule_id_foreign references message_schedules on delete cascade,
        due_at timestamptz(3) not null,
        organization_id uuid not null,
        outcome text not null check (outcome in ('created', 'failed', 'missed')),
        occurrences int not null default 1,
        last_due_at timestamptz(3) not null,
        message_id uuid,
        error_code text,
        primary key (schedule_id, due_at)
      );
      ${behindWall('schedule_runs', 'select, insert, update')}
    `);
  }
}
