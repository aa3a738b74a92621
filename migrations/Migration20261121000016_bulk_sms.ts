import { Migration } from '@mikro-orm/migrations';

/** Bulk batches, their frozen recipients, and the rates at which all processes together send. */
export class Migration20261121000016_bulk_sms extends Migration {
  override up(): void {
    this.addSql(`
      create table bulk_batches (
        id uuid not null,
        organization_id uuid not null,
        environment text not null,
        campaign_id uuid not null,
        contact_list_id uuid not null,
        text text not null,
        sender text not null,
        status text not null,
        scheduled_at timestamptz(3) null,
        rate_per_second int null,
        total int not null default 0,
        next_position int not null default 1,
        window_started_at timestamptz(3) null,
        window_made int not null default 0,
        measured_per_second double precision null,
        settled_counts jsonb null,
        failure text null,
        created_by_kind text not null,
        created_by_id uuid not null,
        wake_at timestamptz(3) null,
        created_at timestamptz(3) not null,
        started_at timestamptz(3) null,
        completed_at timestamptz(3) null,
        primary key (id)
      );
      create index bulk_batches_list on bulk_batches (organization_id, environment, id);
      create index bulk_batches_of_campaign on bulk_batches (campaign_id);
      create index bulk_batches_overdue on bulk_batches (wake_at) where wake_at is not null;
      alter table bulk_batches add constraint bulk_batches_environment_check check (environment in ('live', 'test'));
      alter table bulk_batches add constraint bulk_batches_status_check check (status in ('pending', 'scheduled', 'processing', 'paused', 'completed', 'cancelled', 'failed'));
      alter table bulk_batches add constraint bulk_batches_created_by_kind_check check (created_by_kind in ('api_key', 'user'));
      alter table bulk_batches add constraint bulk_batches_organization_id_foreign foreign key (organization_id) references organizations (id) on delete cascade;
      alter table bulk_batches add constraint bulk_batches_campaign_id_foreign foreign key (campaign_id) references campaigns (id);

      create table bulk_recipients (
        batch_id uuid not null,
        position int not null,
        organization_id uuid not null,
        contact_id uuid not null,
        recipient text not null,
        fields jsonb null,
        refusal text null,
        message_id uuid null,
        primary key (batch_id, position)
      );
      alter table bulk_recipients add constraint bulk_recipients_refusal_check check (refusal in ('recipient_opted_out', 'duplicate_recipient', 'invalid_recipient'));

      create unlogged table sending_rates (
        subject text not null,
        free_at timestamptz(6) not null,
        primary key (subject)
      );

      alter table messages add column bulk_batch_id uuid null;
      create index messages_of_bulk_batch on messages (bulk_batch_id, status) include (organization_id, error_code, segments) where bulk_batch_id is not null;
      alter table message_events drop constraint message_events_kind_check;
      alter table message_events add constraint message_events_kind_check check (kind in ('queued', 'submission_attempted', 'submission_answered', 'submission_doubtful', 'report_received', 'expired', 'redriven', 'redrive_of', 'suppressed', 'refused', 'cancelled'));
    `);
    for (const table of ['bulk_batches', 'bulk_recipients']) {
      this.addSql(`
        grant select, insert, update on ${table} to sms_tenant;
        alter table ${table} enable row level security;
        create policy of_organization on ${table} to sms_tenant
          using (organization_id = any (${organizationIds})) with check (organization_id = any (${organizationIds}));
      `);
    }
  }
}

/** As in Migration20261121000006_organization_walls. */
const organizationIds = `(select string_to_array(nullif(current_setting('app.organization_ids'::text, true), ''::text), ','::text) as string_to_array)::uuid[]`;
