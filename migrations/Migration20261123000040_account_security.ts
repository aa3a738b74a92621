import { Migration } from '@mikro-orm/migrations';

/** What happened to the accounts of people (docs/decisions/security-events.md), and their passkeys. */
export class Migration20261123000040_account_security extends Migration {
  override up(): void {
    this.addSql(`
      create table security_events (
        id uuid primary key,
        user_id uuid not null
          constraint security_events_user_id_foreign references users on delete cascade,
        at timestamptz(3) not null,
        kind text not null check (kind in (
          'signed_in', 'sign_in_failed', 'signed_out', 'session_ended', 'password_changed', 'password_reset',
          'two_factor_enabled', 'two_factor_disabled', 'two_factor_reset', 'recovery_codes_renewed',
          'passkey_added', 'passkey_removed'
        )),
        method text check (method in ('password', 'second_factor', 'recovery_code', 'passkey', 'provider')),
        ip_address text,
        user_agent text,
        administrator_id uuid,
        expires_at timestamptz(3) not null
      );
      create index security_events_list on security_events (user_id, id);
      -- Each event counts those of its kind in the last hour.
      create index security_events_limit on security_events (user_id, kind, at);
      -- The clean-up finds what has expired.
      create index security_events_expires_at_idx on security_events (expires_at);

      create table passkeys (
        id uuid primary key,
        user_id uuid not null
          constraint passkeys_user_id_foreign references users on delete cascade,
        name text,
        public_key text not null,
        credential_id text not null constraint passkeys_credential_id_unique unique,
        counter integer not null,
        device_type text not null,
        backed_up boolean not null,
        transports text,
        created_at timestamptz(3) not null,
        aaguid text
      );
      create index passkeys_user_id_idx on passkeys (user_id);

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
        'retention.changed', 'erasure.requested', 'person.exported'
      )) not valid;
    `);
    this.addSql('alter table audit_events validate constraint audit_events_action_check;');
  }
}
