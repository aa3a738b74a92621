import { Migration } from '@mikro-orm/migrations';

/** The keys under which requests were answered, with their answers, walled as all that belongs to organizations. */
export class Migration20261121000008_idempotency extends Migration {
  override up(): void {
    this.addSql(`
      create table idempotency_keys (
        organization_id uuid not null,
        environment text not null,
        route text not null,
        key text not null,
        digest bytea not null,
        status smallint not null,
        body text not null,
        created_at timestamptz(3) not null,
        primary key (organization_id, environment, route, key)
      );
      create index idempotency_keys_age on idempotency_keys (created_at);
      alter table idempotency_keys add constraint idempotency_keys_environment_check check (environment in ('live', 'test'));
      alter table idempotency_keys add constraint idempotency_keys_organization_id_foreign foreign key (organization_id) references organizations (id) on delete cascade;
      grant select, insert, update on idempotency_keys to sms_tenant;
      alter table idempotency_keys enable row level security;
      create policy of_organization on idempotency_keys to sms_tenant
        using (organization_id = any (${organizationIds})) with check (organization_id = any (${organizationIds}));
    `);
  }
}

/** The organizations that the transaction names, as in Migration20261121000006_organization_walls. */
const organizationIds = `(select string_to_array(nullif(current_setting('app.organization_ids'::text, true), ''::text), ','::text) as string_to_array)::uuid[]`;
