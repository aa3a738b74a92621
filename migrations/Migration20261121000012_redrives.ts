import { Migration } from '@mikro-orm/migrations';

/** Redrives by filter, and what they leave on messages. Platform-wide, so not granted to the tenants' role. */
export class Migration20261121000012_redrives extends Migration {
  override up(): void {
    this.addSql(`
      create table redrives (
        id uuid not null,
        kind text not null,
        status text not null,
        created_from timestamptz(3) not null,
        created_to timestamptz(3) not null,
        organization_id uuid null,
        error_code text null,
        environment text null,
        max_redriven int not null,
        cursor_at timestamptz(3) not null,
        cursor_id uuid not null,
        matched int not null default 0,
        redriven int not null default 0,
        skipped jsonb not null,
        requested_by uuid not null,
        created_at timestamptz(3) not null,
        started_at timestamptz(3) null,
        ended_at timestamptz(3) null,
        wake_at timestamptz(3) not null,
        primary key (id)
      );
      create index redrives_overdue on redrives (wake_at) where ended_at is null;
      alter table redrives add constraint redrives_kind_check check (kind in ('messages', 'webhook_deliveries'));
      alter table redrives add constraint redrives_status_check check (status in ('pending', 'running', 'completed', 'cancelled'));
      alter table redrives add constraint redrives_environment_check check (environment in ('live', 'test'));

      alter table messages add column redriven_from uuid null, add column one_time_text boolean not null default false;
      update messages set one_time_text = true from security_codes where security_codes.message_id = messages.id;
      alter table messages add constraint messages_redriven_from_foreign foreign key (redriven_from) references messages (id) on delete set null;
      create unique index messages_redriven_from_unique on messages (redriven_from) where redriven_from is not null;
      create index messages_failed on messages (created_at, id) where status = 'failed';
      create index messages_failed_of_organization on messages (organization_id, created_at, id) where status = 'failed';
      create index webhook_deliveries_dead_in_time on webhook_deliveries (created_at, id) where status = 'dead';
      create index webhook_deliveries_dead_of_organization on webhook_deliveries (organization_id, created_at, id) where status = 'dead';

      alter table message_events drop constraint message_events_kind_check;
      alter table message_events add constraint message_events_kind_check check (kind in ('queued', 'submission_attempted', 'submission_answered', 'submission_doubtful', 'report_received', 'expired', 'redriven', 'redrive_of'));

      alter table audit_events drop constraint audit_events_action_check;
      alter table audit_events add constraint audit_events_action_check check (action in ('api_key.created', 'api_key.updated', 'api_key.revoked', 'member.role_changed', 'member.removed', 'invitation.created', 'invitation.accepted', 'invitation.rejected', 'invitation.cancelled', 'user.created', 'user.impersonated', 'user.impersonation_ended', 'user.role_changed', 'user.banned', 'user.unbanned', 'webhook_delivery.redriven', 'messages.redriven', 'webhook_deliveries.redriven', 'redrive.cancelled'));
    `);
  }
}
