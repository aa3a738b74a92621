import { Migration } from '@mikro-orm/migrations';
import { behindWall } from './organization-wall.ts';

/** Retention, erasure, and the history of consent: docs/decisions/privacy.md. */
export class Migration20261123000030_privacy extends Migration {
  override up(): void {
    this.addSql(`
      create table retention_rules (
        -- The id of the organization, so that an organization has one row.
        id uuid primary key,
        organization_id uuid not null
          constraint retention_rules_organization_id_foreign references organizations on delete cascade
          constraint retention_rules_id_check check (organization_id = id),
        text_days smallint,
        number_days smallint,
        inbound_days smallint,
        webhook_body_days smallint,
        message_texts int not null default 0,
        message_numbers int not null default 0,
        inbound_messages int not null default 0,
        webhook_bodies int not null default 0,
        cursors jsonb not null default '{}',
        step smallint not null default 0,
        cursor uuid,
        last_run_at timestamptz(3),
        wake_at timestamptz(3)
      );
      create index retention_rules_overdue on retention_rules (wake_at) where wake_at is not null;
      ${behindWall('retention_rules', 'select, insert, update')}

      create table erasures (
        id uuid primary key,
        organization_id uuid not null
          constraint erasures_organization_id_foreign references organizations on delete cascade,
        number_hash bytea not null,
        sealed_number bytea,
        status text not null check (status in ('running', 'waiting', 'completed')),
        waiting_for text,
        step smallint not null default 0,
        cursor text,
        erased jsonb not null default '{}',
        requested_by uuid not null,
        created_at timestamptz(3) not null,
        completed_at timestamptz(3),
        wake_at timestamptz(3)
      );
      create index erasures_list on erasures (organization_id, id);
      create index erasures_overdue on erasures (wake_at) where wake_at is not null;
      -- Of several requests for a number, one erases it.
      create unique index erasures_open_unique on erasures (organization_id, number_hash) where completed_at is null;
      ${behindWall('erasures', 'select, insert, update')}

      -- The key of the hashes of numbers, sealed with the pepper: it belongs to the platform.
      create table number_hash_keys (
        id smallint primary key check (id = 1),
        sealed_key bytea not null
      );

      -- Opt-outs of numbers that were erased.
      create table erased_opt_outs (
        organization_id uuid not null
          constraint erased_opt_outs_organization_id_foreign references organizations on delete cascade,
        number_hash bytea not null,
        source text not null check (source in ('operator', 'recipient')),
        created_at timestamptz(3) not null,
        primary key (organization_id, number_hash, source)
      );
      ${behindWall('erased_opt_outs', 'select, insert, delete')}

      create table consent_events (
        id uuid primary key,
        organization_id uuid not null
          constraint consent_events_organization_id_foreign references organizations on delete cascade,
        number_hash bytea not null,
        at timestamptz(3) not null,
        kind text not null check (kind in ('opted_out', 'opted_in')),
        source text not null check (source in ('operator', 'recipient')),
        inbound_message_id uuid,
        actor_kind text check (actor_kind in ('api_key', 'user')),
        actor_id text
      );
      create index consent_events_of_number on consent_events (organization_id, number_hash, id);
      ${behindWall('consent_events', 'select, insert')}

      -- Discarding changes what is otherwise only added to.
      grant update on message_events, webhook_attempts, contact_import_rejects, notifications to sms_tenant;
      grant delete on idempotency_keys to sms_tenant;

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
        'sending_controls.changed',
        'retention.changed', 'erasure.requested', 'person.exported'
      )) not valid;
    `);
    this.addSql('alter table audit_events validate constraint audit_events_action_check;');
  }
}
