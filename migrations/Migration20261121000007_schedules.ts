import { Migration } from '@mikro-orm/migrations';

/** Schedules of messages, and the record of their runs, behind the wall of their organization. */
export class Migration20261121000007_schedules extends Migration {
  override up(): void {
    this.addSql(`
      create table message_schedules (
        id uuid not null,
        organization_id uuid not null,
        environment text not null,
        sender text null,
        recipient text not null,
        text text not null,
        starts_at timestamptz(3) not null,
        ends_at timestamptz(3) null,
        timezone text not null,
        recurrence_unit text null,
        recurrence_interval smallint null,
        status text not null,
        next_run_at timestamptz(3) null,
        last_run_at timestamptz(3) null,
        created_count int not null default 0,
        failed_count int not null default 0,
        missed_count int not null default 0,
        skipped_count int not null default 0,
        wake_at timestamptz(3) null,
        created_at timestamptz(3) not null,
        primary key (id)
      );
      create index message_schedules_list on message_schedules (organization_id, environment, id);
      create index message_schedules_overdue on message_schedules (wake_at) where status = 'active';
      alter table message_schedules add constraint message_schedules_environment_check check (environment in ('live', 'test'));
      alter table message_schedules add constraint message_schedules_recurrence_unit_check check (recurrence_unit in ('minute', 'hour', 'day', 'week', 'month', 'year'));
      alter table message_schedules add constraint message_schedules_status_check check (status in ('active', 'paused', 'completed', 'cancelled'));
      alter table message_schedules add constraint message_schedules_organization_id_foreign foreign key (organization_id) references organizations (id) on delete cascade;

      create table schedule_runs (
        schedule_id uuid not null,
        due_at timestamptz(3) not null,
        organization_id uuid not null,
        outcome text not null,
        occurrences int not null default 1,
        last_due_at timestamptz(3) not null,
        message_id uuid null,
        error_code text null,
        primary key (schedule_id, due_at)
      );
      alter table schedule_runs add constraint schedule_runs_outcome_check check (outcome in ('created', 'failed', 'missed'));
      alter table schedule_runs add constraint schedule_runs_schedule_id_foreign foreign key (schedule_id) references message_schedules (id) on delete cascade;
    `);
    for (const [table, grants] of Object.entries(tables)) {
      this.addSql(`
        grant ${grants} on ${table} to sms_tenant;
        alter table ${table} enable row level security;
        create policy of_organization on ${table} to sms_tenant
          using (organization_id = any (${organizationIds})) with check (organization_id = any (${organizationIds}));
      `);
    }
  }
}

/** As in Migration20261121000006_organization_walls. */
const organizationIds = `(select string_to_array(nullif(current_setting('app.organization_ids'::text, true), ''::text), ','::text) as string_to_array)::uuid[]`;

const tables = {
  message_schedules: 'select, insert, update, delete',
  schedule_runs: 'select, insert, update',
};
