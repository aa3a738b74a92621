import { Migration } from '@mikro-orm/migrations';

/** Security codes, their dispatches, and the sealed texts of their messages. */
export class Migration20261121000009_security_codes extends Migration {
  override up(): void {
    this.addSql(`
      alter table messages add column sealed_text bytea null;

      alter table dispatches drop constraint dispatches_kind_check;
      alter table dispatches add constraint dispatches_kind_check check (kind in ('messages', 'webhooks', 'security-codes'));

      create table security_codes (
        id uuid not null,
        organization_id uuid not null,
        environment text not null,
        purpose text not null,
        recipient text not null,
        code_hash bytea not null,
        status text not null,
        attempts smallint not null default 0,
        max_attempts smallint not null,
        message_id uuid not null,
        created_at timestamptz(3) not null,
        expires_at timestamptz(3) not null,
        verified_at timestamptz(3) null,
        dispatch_id uuid null,
        due_at timestamptz(3) null,
        primary key (id)
      );
      create unique index security_codes_pending_unique on security_codes (organization_id, environment, recipient, purpose) where status = 'pending';
      create index security_codes_recent on security_codes (organization_id, environment, recipient, created_at);
      create index security_codes_unclaimed on security_codes (id) where dispatch_id is null and status = 'pending';
      create index security_codes_dispatch on security_codes (dispatch_id, due_at);
      create index security_codes_message on security_codes (message_id);
      alter table security_codes add constraint security_codes_environment_check check (environment in ('live', 'test'));
      alter table security_codes add constraint security_codes_status_check check (status in ('pending', 'verified', 'max_attempts_reached', 'expired', 'superseded'));
      alter table security_codes add constraint security_codes_organization_id_foreign foreign key (organization_id) references organizations (id) on delete cascade;
      alter table security_codes add constraint security_codes_message_id_foreign foreign key (message_id) references messages (id) on delete cascade;

      grant select, insert, update on security_codes to sms_tenant;
      alter table security_codes enable row level security;
      create policy of_organization on security_codes to sms_tenant
        using (organization_id = any (${organizationIds})) with check (organization_id = any (${organizationIds}));
    `);
  }
}

/** The organizations that the transaction names, as in Migration20261121000006_organization_walls. */
const organizationIds = `(select string_to_array(nullif(current_setting('app.organization_ids'::text, true), ''::text), ','::text) as string_to_array)::uuid[]`;
