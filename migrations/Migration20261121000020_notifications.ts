import { Migration } from '@mikro-orm/migrations';
import { behindWall } from './organization-wall.ts';

/** What people are told in the service itself: docs/decisions/notifications.md. */
export class Migration20261121000020_notifications extends Migration {
  override up(): void {
    this.addSql(`
      create table notifications (
        id uuid primary key,
        organization_id uuid
          constraint notifications_organization_id_foreign references organizations on delete cascade,
        user_id uuid not null
          constraint notifications_user_id_foreign references users on delete cascade,
        kind text not null check (kind in (
          'sender_id_reviewed', 'batch_completed', 'batch_failed', 'schedule_missed', 'webhook_dead',
          'inbound_failed', 'invitation_received'
        )),
        subject_id uuid not null,
        occurrence text not null,
        title text not null,
        body text not null,
        data jsonb not null,
        position bigint not null,
        created_at timestamptz(3) not null,
        read_at timestamptz(3),
        constraint notifications_told_once unique (user_id, kind, occurrence)
      );
      create index notifications_list on notifications (user_id, organization_id, position);
      create index notifications_unread on notifications (user_id, organization_id, position) where read_at is null;
      ${behindWall('notifications', 'select, insert')}

      create sequence notification_positions;
      grant usage on sequence notification_positions to sms_tenant;
    `);
  }
}
