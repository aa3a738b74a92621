import { Migration } from '@mikro-orm/migrations';

/**
 * Row-level security for all that belongs to organizations: docs/decisions/0011. Work for organizations runs
 * under the role `sms_tenant`, which owns nothing and sees the rows of the organizations that its
 * transaction names. Everything else has no grant, so it cannot be reached from there at all.
 */
export class Migration20261121000006_organization_walls extends Migration {
  override up(): void {
    // Roles belong to the server, not to the database: another database's migration may have made it, or be at it.
    this.addSql(`
do $$ begin
  if not exists (select from pg_roles where rolname = 'sms_tenant') then
    create role sms_tenant nologin;
  end if;
exception
  when duplicate_object or unique_violation then null;
  when insufficient_privilege then
    raise exception 'The user of DATABASE_URL may not create roles. Run once, as one who may: create role sms_tenant nologin; grant sms_tenant to "%"', current_user;
end $$;
do $$ begin
  if not pg_has_role(current_user, 'sms_tenant', 'set') then
    execute format('grant sms_tenant to %I', current_user);
  end if;
exception when insufficient_privilege then
  raise exception 'The user of DATABASE_URL is no member of the role sms_tenant. Run once, as one who may: grant sms_tenant to "%"', current_user;
end $$;
grant usage on schema public to sms_tenant;
    `);
    this.addSql(`
      alter table message_events add column organization_id uuid null;
      update message_events set organization_id = messages.organization_id
        from messages where messages.id = message_events.message_id;
      alter table message_events alter column organization_id set not null;
      alter table webhook_attempts add column organization_id uuid null;
      update webhook_attempts set organization_id = webhook_deliveries.organization_id
        from webhook_deliveries where webhook_deliveries.id = webhook_attempts.delivery_id;
      alter table webhook_attempts alter column organization_id set not null;
    `);
    for (const [table, grants] of Object.entries(tables)) {
      this.addSql(`
        grant ${grants} on ${table} to sms_tenant;
        alter table ${table} enable row level security;
        create policy of_organization on ${table} to sms_tenant
          using (organization_id = any (${organizationIds})) with check (organization_id = any (${organizationIds}));
      `);
    }
    this.addSql(`
      grant usage on sequence message_events_id_seq to sms_tenant;
      grant select on organizations to sms_tenant;
      alter table organizations enable row level security;
      create policy of_organization on organizations to sms_tenant
        using (id = any (${organizationIds})) with check (id = any (${organizationIds}));
    `);
  }
}

/** The organizations that the transaction names: none, if it names none. Read once a statement, not once a row. */
const organizationIds = `(select string_to_array(nullif(current_setting('app.organization_ids'::text, true), ''::text), ','::text) as string_to_array)::uuid[]`;

/** What use cases may do with each; the rest is done by the worker, or for people rather than organizations. */
const tables = {
  messages: 'select, insert, update, delete',
  message_events: 'select, insert',
  api_keys: 'select, insert, update, delete',
  sender_ids: 'select, insert, update, delete',
  webhook_deliveries: 'select, insert, update',
  webhook_attempts: 'select, insert',
  audit_events: 'select, insert',
  members: 'select',
  invitations: 'select',
};
