import { Migration } from '@mikro-orm/migrations';
import { behindWall } from './organization-wall.ts';

/** The audit log, which nothing can change or delete. It has no foreign keys: events outlive what they tell of. */
export class Migration20261121000002_audit extends Migration {
  override up(): void {
    this.addSql(`
      create table audit_events (
        id uuid primary key,
        organization_id uuid,
        at timestamptz(3) not null,
        actor_kind text not null check (actor_kind in ('api_key', 'user', 'system')),
        actor_id text,
        action text not null check (action in (
          'api_key.created', 'api_key.updated', 'api_key.revoked',
          'member.role_changed', 'member.removed',
          'invitation.created', 'invitation.accepted', 'invitation.rejected', 'invitation.cancelled',
          'user.created', 'user.impersonated', 'user.impersonation_ended', 'user.role_changed',
          'user.banned', 'user.unbanned',
          'webhook_delivery.redriven',
          'messages.redriven', 'webhook_deliveries.redriven', 'redrive.cancelled',
          'sender_id.approved', 'sender_id.rejected', 'sender_id.made_default',
          'contacts.imported', 'contacts.exported',
          'bulk_messages.exported', 'messages.exported',
          'inbound_message.redriven'
        )),
        subject_id text not null,
        details jsonb not null
      );
      create index audit_events_list on audit_events (organization_id, id);
      -- Administrators list the log of all organizations by these.
      create index audit_events_action on audit_events (action, id);
      create index audit_events_actor on audit_events (actor_id, id);
      create index audit_events_impersonator on audit_events ((details ->> 'impersonatedBy'), id)
        where details ->> 'impersonatedBy' is not null;
      ${behindWall('audit_events', 'select, insert')}
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
