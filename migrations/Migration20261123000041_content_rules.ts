import { Migration } from '@mikro-orm/migrations';
import { behindWall } from './organization-wall.ts';

/** Rules about the texts of messages: docs/decisions/content-rules.md. */
export class Migration20261123000041_content_rules extends Migration {
  override up(): void {
    this.addSql(`
      create table content_rules (
        id uuid primary key,
        organization_id uuid
          constraint content_rules_organization_id_foreign references organizations on delete cascade,
        kind text not null check (kind in ('contains', 'link_in', 'link_not_in')),
        values text[] not null,
        terms text[] not null,
        reason text not null,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null
      );
      create index content_rules_of_organization on content_rules (organization_id, id);
      ${behindWall('content_rules', 'select')}
      -- Each message is checked against the rules of the platform, under the role of tenants.
      create policy of_platform on content_rules for select to sms_tenant using (organization_id is null);

      alter table audit_events drop constraint audit_events_action_check;
      alter table audit_events add constraint audit_events_action_check check (action in (
        'api_key.created', 'api_key.updated', 'api_key.revoked',
        'member.role_changed', 'member.removed',
        'invitation.created', 'invitation.accepted', 'invitation.rejected', 'invitation.cancelled',
        'user.created', 'user.impersonated', 'user.impersonation_ended', 'user.role_changed',
        'user.banned', 'user.unbanned', 'user.two_factor_reset',
        'webhook_delivery.redriven',
        'messages.redriven', 'webhook_deliveries.redriven', 'redrive.cancelled',
        'sender_id.approved', 'sender_id.rejected', 'sender_id.made_default',
        'contacts.imported', 'contacts.exported',
        'bulk_messages.exported', 'messages.exported',
        'inbound_message.redriven',
        'sending_controls.changed',
        'security_code_watch.changed', 'security_code_alarm.raised', 'security_code_alarm.released',
        'content_rule.created', 'content_rule.updated', 'content_rule.deleted',
        'retention.changed', 'erasure.requested', 'person.exported'
      )) not valid;
    `);
    this.addSql('alter table audit_events validate constraint audit_events_action_check');
  }
}
