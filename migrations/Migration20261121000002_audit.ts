import { Migration } from '@mikro-orm/migrations';

/** The audit log, which nothing can change or delete. */
export class Migration20261121000002_audit extends Migration {
  override up(): void {
    this.addSql(`
      create table audit_events (
        id uuid not null,
        organization_id uuid null,
        at timestamptz(3) not null,
        actor_kind text not null,
        actor_id text null,
        action text not null,
        subject_id text not null,
        details jsonb not null,
        primary key (id)
      );
      create index audit_events_list on audit_events (organization_id, id);
      alter table audit_events add constraint audit_events_actor_kind_check check (actor_kind in ('api_key', 'user', 'system'));
      alter table audit_events add constraint audit_events_action_check check (action in ('api_key.created', 'api_key.updated', 'api_key.revoked', 'member.added', 'member.role_changed', 'member.removed', 'invitation.created', 'invitation.accepted', 'invitation.rejected', 'invitation.cancelled', 'user.impersonated', 'user.role_changed', 'user.banned', 'user.unbanned'));
    `);
    this.addSql(`
create function audit_events_append_only_fn() returns trigger language plpgsql as $$ begin
raise exception 'the audit log is only ever added to';
end; $$;
create trigger append_only before update or delete on audit_events
  for each row execute function audit_events_append_only_fn();
    `);
  }
}
