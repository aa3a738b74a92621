import { Migration } from '@mikro-orm/migrations';

/** What people are told in the service itself; docs/decisions/notifications.md. */
export class Migration20261121000020_notifications extends Migration {
  override up(): void {
    this.addSql(`
      create table notifications (
        id uuid not null,
        organization_id uuid null,
        user_id uuid not null,
        kind text not null,
        subject_id uuid not null,
        occurrence text not null,
        title text not null,
        body text not null,
        data jsonb not null,
        position bigint not null,
        created_at timestamptz(3) not null,
        read_at timestamptz(3) null,
        primary key (id)
      );
      alter table notifications add constraint notifications_told_once unique (user_id, kind, occurrence);
      create index notifications_list on notifications (user_id, organization_id, position);
      create index notifications_unread on notifications (user_id, organization_id, position) where read_at is null;
      alter table notifications add constraint notifications_kind_check check (kind in ('sender_id_reviewed', 'batch_completed', 'batch_failed', 'schedule_missed', 'webhook_dead', 'inbound_failed', 'invitation_received'));
      alter table notifications add constraint notifications_organization_id_foreign foreign key (organization_id) references organizations (id) on delete cascade;
      alter table notifications add constraint notifications_user_id_foreign foreign key (user_id) references users (id) on delete cascade;
      create sequence notification_positions;

      grant select, insert on notifications to sms_tenant;
      grant usage on sequence notification_positions to sms_tenant;
      alter table notifications enable row level security;
      create policy of_organization on notifications to sms_tenant
        using (organization_id = any (${organizationIds})) with check (organization_id = any (${organizationIds}));
    `);
  }
}

/** As in Migration20261121000006_organization_walls. */
const organizationIds = `(select string_to_array(nullif(current_setting('app.organization_ids'::text, true), ''::text), ','::text) as string_to_array)::uuid[]`;
