import { sql, type RawBuilder } from 'kysely';
import { validate } from 'uuid';
import { sqlOf, type Database } from '../database.ts';
import { notFound } from '../errors.ts';
import {
  notificationColumns,
  toNotificationRecord,
  type NotificationRecord,
  type NotificationRow,
  type Reader,
} from './notification-record.ts';

/** Marks a notification as read; one that was read keeps its time. Error: not_found. */
export async function readNotification(
  database: Database,
  reader: Reader,
  id: string,
  now: Date,
): Promise<NotificationRecord> {
  if (!validate(id)) throw notFound();
  const { rows } = await sql<NotificationRow>`
    update notifications set read_at = coalesce(read_at, ${now})
    where id = ${id} and ${ofReader(reader)} returning ${notificationColumns}
  `.execute(sqlOf(database));
  if (!rows[0]) throw notFound();
  return toNotificationRecord(rows[0]);
}

/** Marks all that a person sees of an organization as read. Answers how many were not. */
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

/** Which rows are the reader's. That he is a member was found out with his session. */
function ofReader({ userId, organizationId }: Reader): RawBuilder<unknown> {
  return sql`user_id = ${userId} and (organization_id is null or organization_id = ${organizationId}::uuid)`;
}
