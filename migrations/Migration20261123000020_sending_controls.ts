import { Migration } from '@mikro-orm/migrations';
import { behindWall } from './organization-wall.ts';

/** Whether and where organizations may send: docs/decisions/sending-controls.md. */
export class Migration20261123000020_sending_controls extends Migration {
  override up(): void {
    this.addSql(`
      create table sending_controls (
        id uuid primary key,
        organization_id uuid
          constraint sending_controls_organization_id_foreign references organizations on delete cascade,
        held_at timestamptz(3),
        reason text,
        destinations text[],
        updated_at timestamptz(3) not null
      );
      create unique index sending_controls_organization_unique on sending_controls (organization_id) nulls not distinct;
      ${behindWall('sending_controls', 'select')}
      -- Each message is checked against the controls of the platform, under the role of tenants.
      create policy of_platform on sending_controls for select to sms_tenant using (organization_id is null);

      alter table audit_events drop constraint audit_events_action_check;
      alter table audit_events add constraint audit_events_action_check check (action in (
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
          'inbound_message.redriven',
          'sending_controls.changed'
        )) not valid;
      alter table audit_events validate constraint audit_events_action_check;
    `);
  }
}
