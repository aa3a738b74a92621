import { Migration } from '@mikro-orm/migrations';

/**
 * What someone could do ends with their right to do it: open invitations of members who are removed, demoted or banned,
 * and the impersonations of an administrator whose sessions end. The entities say why, and a test compares them with
 * these statements.
 */
export class Migration20261122000010_ended_rights extends Migration {
  override up(): void {
    this.addSql(`
create function members_cancel_invitations_fn() returns trigger language plpgsql as $$ begin
if tg_op = 'UPDATE' and new.role = old.role then return null; end if;
update invitations set status = 'canceled'
  where organization_id = old.organization_id and inviter_id = old.user_id and status = 'pending'
    and (tg_op = 'DELETE' or new.role = 'member' or (new.role = 'admin' and role = 'owner'));
return null;
end; $$;
create trigger cancel_invitations after update or delete on members
  for each row execute function members_cancel_invitations_fn();

create function users_cancel_invitations_fn() returns trigger language plpgsql as $$ begin
if not new.banned or old.banned then return null; end if;
update invitations set status = 'canceled' where inviter_id = old.id and status = 'pending';
return null;
end; $$;
create trigger cancel_invitations after update on users
  for each row execute function users_cancel_invitations_fn();

create function sessions_end_impersonations_fn() returns trigger language plpgsql as $$ begin
if old.impersonated_by is null and old.expires_at > now() then delete from sessions where impersonated_by = old.user_id; end if;
return null;
end; $$;
create trigger end_impersonations after delete on sessions
  for each row execute function sessions_end_impersonations_fn();
    `);
  }
}
