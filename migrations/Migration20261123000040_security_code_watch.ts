import { Migration } from '@mikro-orm/migrations';
import { behindWall } from './organization-wall.ts';

/** The share of security codes that are verified, and the alarms about it: docs/decisions/security-code-watch.md. */
export class Migration20261123000040_security_code_watch extends Migration {
  override up(): void {
    this.addSql(`
      -- The settings of the platform, and how far the codes are counted.
      create table security_code_watch (
        id smallint primary key check (id = 1),
        mode text not null default 'alarm' check (mode in ('off', 'alarm', 'hold')),
        min_codes int not null default 30,
        min_verified_percent smallint not null default 20,
        hold_hours smallint not null default 12,
        exempt_organization_ids uuid[] not null default '{}',
        exempt_prefixes text[] not null default '{}',
        counted_to timestamptz(3),
        updated_at timestamptz(3)
      );

      -- The codes of the last hour, by the minute in which they were sent.
      create table security_code_counts (
        organization_id uuid not null
          constraint security_code_counts_organization_id_foreign references organizations on delete cascade,
        prefix text not null,
        minute timestamptz(3) not null,
        codes int not null,
        verified int not null,
        primary key (organization_id, prefix, minute)
      );
      create index security_code_counts_minute on security_code_counts (minute);

      create table security_code_alarms (
        id uuid primary key,
        organization_id uuid not null
          constraint security_code_alarms_organization_id_foreign references organizations on delete cascade,
        prefix text not null,
        holds boolean not null,
        codes int not null,
        verified int not null,
        raised_at timestamptz(3) not null,
        ends_at timestamptz(3) not null,
        ended_at timestamptz(3),
        released_by uuid
      );
      -- Two workers raise one alarm.
      create unique index security_code_alarms_open_unique on security_code_alarms (organization_id, prefix)
        where ended_at is null;
      create index security_code_alarms_of_organization on security_code_alarms (organization_id, id);
      create index security_code_alarms_ended on security_code_alarms (ended_at);
      ${behindWall('security_code_alarms', 'select')}

      alter table notifications drop constraint notifications_kind_check;
      alter table notifications add constraint notifications_kind_check check (kind in (
        'sender_id_reviewed', 'batch_completed', 'batch_failed', 'schedule_missed', 'webhook_dead',
        'inbound_failed', 'security_codes_unverified', 'invitation_received'
      )) not valid;

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
        'retention.changed', 'erasure.requested', 'person.exported'
      )) not valid;
    `);
    this.addSql(`
      alter table notifications validate constraint notifications_kind_check;
      alter table audit_events validate constraint audit_events_action_check;
    `);
    // The worker reads the codes of each minute once.
    this.addSql(`create index security_codes_live on security_codes (created_at) where environment = 'live'`);
  }
}
