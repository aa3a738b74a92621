import { Migration } from '@mikro-orm/migrations';

/** The service keeps an administrator; what has expired is found by index when it is cleaned up. */
export class Migration20261121000004_administrators extends Migration {
  override up(): void {
    this.addSql(`
      create index sessions_expires_at_idx on sessions (expires_at);
      create index verifications_expires_at_idx on verifications (expires_at);
    `);
    // Why: src/auth/user.entity.ts.
    this.addSql(`
create function users_keep_an_administrator_fn() returns trigger language plpgsql as $$ begin
if old.role <> 'admin' or (old.banned and (old.ban_expires is null or old.ban_expires > now())) then return null; end if;
if tg_op = 'UPDATE' and new.role = 'admin' and not (new.banned and (new.ban_expires is null or new.ban_expires > now())) then return null; end if;
perform pg_advisory_xact_lock(hashtextextended('users_keep_an_administrator', 0));
if not exists (select from users where role = 'admin' and not (banned and (ban_expires is null or ban_expires > now()))) then
  raise exception using errcode = 'check_violation', constraint = 'users_keep_an_administrator',
    message = 'the service would be left without an administrator';
end if;
return null;
end; $$;
create trigger keep_an_administrator after update or delete on users
  for each row execute function users_keep_an_administrator_fn();
    `);
  }
}
