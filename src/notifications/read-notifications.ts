import { sql, type RawBuilder } from 'kysely';
import { sqlOf, type Database, type Sql } from '../database.ts';
import { notFound } from '../errors.ts';
import type { NotificationKind } from './notification-kinds.ts';
import {
  notificationColumns,
  toNotificationRecord,
  type NotificationRecord,
  type NotificationRow,
  type Reader,
} from './notification-record.ts';

/** Marks a notification as read. If it is already read, `readAt` stays unchanged. Errors: not_found. */
export async function readNotification(
  database: Database,
  reader: Reader,
  id: string,
  now: Date,
): Promise<NotificationRecord> {
  const { rows } = await sql<NotificationRow>`
    update notifications set read_at = coalesce(read_at, ${now})
    where id = ${id} and ${ofReader(reader)} returning ${notificationColumns}
  `.execute(sqlOf(database));
  if (!rows[0]) throw notFound();
  return toNotificationRecord(rows[0]);
}

/** Marks all notifications that a person sees in an organization as read. Returns how many were unread. */
export async function readAllNotifications(
  database: Database,
  reader: Reader,
  now: Date,
): Promise<{ read: number }> {
  const { numAffectedRows } = await sql`
    update notifications set read_at = ${now} where ${ofReader(reader)} and read_at is null
  `.execute(sqlOf(database));
  return { read: Number(numAffectedRows) };
}

/**
 * Marks notifications as read whose subject needs no attention any more.
 *
 * @param ended a query of the columns `user_id` and `occurrence`
 */
export async function readEndedNotifications(
  db: Sql,
  kind: NotificationKind,
  ended: RawBuilder<unknown>,
  now: Date,
): Promise<void> {
  await sql`
    update notifications set read_at = ${now} from (${ended}) ended
    where notifications.user_id = ended.user_id and notifications.kind = ${kind}
      and notifications.occurrence = ended.occurrence and notifications.read_at is null
  `.execute(db);
}

/** Selects the rows of the reader. Their membership was checked with the session. */
function ofReader({ userId, organizationId }: Reader): RawBuilder<unknown> {
  return sql`user_id = ${userId} and (organization_id is null or organization_id = ${organizationId}::uuid)`;
}
