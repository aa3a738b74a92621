import { sql, type RawBuilder } from 'kysely';
import { sqlOf, type Database } from '../database.ts';
import { notFound } from '../errors.ts';
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

/** Selects the rows of the reader. Their membership was checked with the session. */
function ofReader({ userId, organizationId }: Reader): RawBuilder<unknown> {
  return sql`user_id = ${userId} and (organization_id is null or organization_id = ${organizationId}::uuid)`;
}
