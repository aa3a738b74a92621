import { Migration } from '@mikro-orm/migrations';

/** Redrives of webhook deliveries, and indexes for their lists. */
export class Migration20261121000010_webhook_redrive extends Migration {
  override up(): void {
    this.addSql(`
      alter table webhook_deliveries add column attempts_before smallint not null default 0;

      drop index webhook_deliveries_list;
      create index webhook_deliveries_list on webhook_deliveries (organization_id, environment, status, id);
      create index webhook_deliveries_dead on webhook_deliveries (id) where status = 'dead';

      alter table audit_events drop constraint audit_events_action_check;
      alter table audit_events add constraint audit_events_action_check check (action in ('api_key.created', 'api_key.updated', 'api_key.revoked', 'member.role_changed', 'member.removed', 'invitation.created', 'invitation.accepted', 'invitation.rejected', 'invitation.cancelled', 'user.created', 'user.impersonated', 'user.impersonation_ended', 'user.role_changed', 'user.banned', 'user.unbanned', 'webhook_delivery.redriven'));
    `);
  }
}
