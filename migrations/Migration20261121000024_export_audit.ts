import { Migration } from '@mikro-orm/migrations';

/** The log tells of messages that leave as a file, and of inbound messages that are processed once more. */
export class Migration20261121000024_export_audit extends Migration {
  override up(): void {
    this.addSql(`
      alter table audit_events drop constraint audit_events_action_check;
      alter table audit_events add constraint audit_events_action_check check (action in ('api_key.created', 'api_key.updated', 'api_key.revoked', 'member.role_changed', 'member.removed', 'invitation.created', 'invitation.accepted', 'invitation.rejected', 'invitation.cancelled', 'user.created', 'user.impersonated', 'user.impersonation_ended', 'user.role_changed', 'user.banned', 'user.unbanned', 'webhook_delivery.redriven', 'messages.redriven', 'webhook_deliveries.redriven', 'redrive.cancelled', 'sender_id.approved', 'sender_id.rejected', 'sender_id.made_default', 'contacts.imported', 'contacts.exported', 'bulk_messages.exported', 'messages.exported', 'inbound_message.redriven'));
    `);
  }
}
