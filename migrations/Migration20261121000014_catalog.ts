import { Migration } from '@mikro-orm/migrations';

/** Templates, campaigns and suppressed numbers; who asked for a sender ID, and one approved owner of each value. */
export class Migration20261121000014_catalog extends Migration {
  override up(): void {
    this.addSql(`
      create table templates (
        id uuid not null,
        organization_id uuid not null,
        owner_id uuid null,
        name text not null,
        content text not null,
        category text not null,
        scope text not null,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        primary key (id)
      );
      create index templates_list on templates (organization_id, id);
      create unique index templates_team_name_unique on templates (organization_id, lower(name)) where scope = 'team';
      create unique index templates_personal_name_unique on templates (organization_id, owner_id, lower(name)) where scope = 'personal';
      alter table templates add constraint templates_category_check check (category in ('general', 'marketing', 'notification', 'otp', 'reminder'));
      alter table templates add constraint templates_scope_check check (scope in ('team', 'personal'));
      alter table templates add constraint templates_owner_check check ((scope = 'personal') = (owner_id is not null));
      alter table templates add constraint templates_organization_id_foreign foreign key (organization_id) references organizations (id) on delete cascade;
      alter table templates add constraint templates_owner_id_foreign foreign key (owner_id) references users (id) on delete cascade;

      create table campaigns (
        id uuid not null,
        organization_id uuid not null,
        name text not null,
        description text null,
        sender text null,
        status text not null,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        primary key (id)
      );
      create index campaigns_list on campaigns (organization_id, id);
      alter table campaigns add constraint campaigns_status_check check (status in ('active', 'paused', 'archived'));
      alter table campaigns add constraint campaigns_organization_id_foreign foreign key (organization_id) references organizations (id) on delete cascade;

      create table suppressions (
        id uuid not null,
        organization_id uuid not null,
        phone_number text not null,
        reason text null,
        created_at timestamptz(3) not null,
        primary key (id)
      );
      create index suppressions_list on suppressions (organization_id, id);
      alter table suppressions add constraint suppressions_number_unique unique (organization_id, phone_number);
      alter table suppressions add constraint suppressions_organization_id_foreign foreign key (organization_id) references organizations (id) on delete cascade;
    `);
    for (const table of ['templates', 'campaigns', 'suppressions']) {
      this.addSql(`
        grant select, insert, update, delete on ${table} to sms_tenant;
        alter table ${table} enable row level security;
        create policy of_organization on ${table} to sms_tenant
          using (organization_id = any (${organizationIds})) with check (organization_id = any (${organizationIds}));
      `);
    }
    // Of several approved owners of one value the first stays; whoever came later is reviewed again.
    this.addSql(`
      alter table sender_ids add column requested_by_kind text null;
      alter table sender_ids add column requested_by_id uuid null;
      alter table sender_ids add constraint sender_ids_requested_by_kind_check check (requested_by_kind in ('api_key', 'user'));
      update sender_ids s set status = 'pending', is_default = false, reviewed_at = null
        where status = 'approved' and value !~ '^[0-9]{3,8}$' and exists (
          select from sender_ids earlier where lower(earlier.value) = lower(s.value)
            and earlier.status = 'approved' and (earlier.created_at, earlier.id) < (s.created_at, s.id)
        );
      create unique index sender_ids_approved_unique on sender_ids (lower(value)) where status = 'approved' and value !~ '^[0-9]{3,8}$';
      create index sender_ids_by_status on sender_ids (status, id);
    `);
    this.addSql(`
      alter table messages add column ignores_suppression boolean not null default false;
      alter table message_events drop constraint message_events_kind_check;
      alter table message_events add constraint message_events_kind_check check (kind in ('queued', 'submission_attempted', 'submission_answered', 'submission_doubtful', 'report_received', 'expired', 'suppressed'));
      alter table audit_events drop constraint audit_events_action_check;
      alter table audit_events add constraint audit_events_action_check check (action in ('api_key.created', 'api_key.updated', 'api_key.revoked', 'member.role_changed', 'member.removed', 'invitation.created', 'invitation.accepted', 'invitation.rejected', 'invitation.cancelled', 'user.created', 'user.impersonated', 'user.impersonation_ended', 'user.role_changed', 'user.banned', 'user.unbanned', 'webhook_delivery.redriven', 'sender_id.approved', 'sender_id.rejected'));
    `);
  }
}

/** As in Migration20261121000006: the organizations that the transaction names, read once a statement. */
const organizationIds = `(select string_to_array(nullif(current_setting('app.organization_ids'::text, true), ''::text), ','::text) as string_to_array)::uuid[]`;
