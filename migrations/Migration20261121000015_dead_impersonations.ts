import { Migration } from '@mikro-orm/migrations';

/** An impersonation is over for good when its administrator is banned, or none any more: src/auth/user.entity.ts. */
export class Migration20261121000015_dead_impersonations extends Migration {
  override up(): void {
    this.addSql(`
      create index sessions_impersonated_by_idx on sessions (impersonated_by) where impersonated_by is not null;
    `);
    this.addSql(`
create function users_end_impersonations_fn() returns trigger language plpgsql as $$ begin
if tg_op = 'DELETE' or new.banned or new.role <> 'admin' then delete from sessions where impersonated_by = old.id; end if;
return null;
end; $$;
create trigger end_impersonations after update or delete on users
  for each row execute function users_end_impersonations_fn();
    `);
    // What a ban or a demotion has left behind until now.
    this.addSql(`
      delete from sessions s where s.impersonated_by is not null and not exists (
        select from users a where a.id = s.impersonated_by and a.role = 'admin' and not a.banned
      );
    `);
  }
}
