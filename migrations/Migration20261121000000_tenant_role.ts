import { Migration } from '@mikro-orm/migrations';

/**
 * The role under which work for organizations runs: docs/decisions/two-walls-between-organizations.md. It owns nothing
 * and cannot sign in; the user of DATABASE_URL takes it on for a transaction.
 */
export class Migration20261121000000_tenant_role extends Migration {
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
  }
}
