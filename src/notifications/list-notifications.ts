import { sql } from 'kysely';
import { sqlOf, type Database } from '../database.ts';
import { toCursorPage, type CursorPage, type CursorQuery } from '../http/cursor.ts';
import {
  notificationColumns,
  readerOf,
  toNotificationRecord,
  visibleNotifications,
  type NotificationRecord,
  type NotificationRow,
  type Reader,
} from './notification-record.ts';

/** The unread count stops here: beyond this number the exact count does not matter. */
const mostCounted = 1000;

/** Lists the notifications of a person, newest first, and counts the unread ones. */
export async function listNotifications(
  database: Database,
  reader: Reader,
  filter: { unread: boolean },
  page: CursorQuery,
): Promise<CursorPage<NotificationRecord> & { unreadCount: number }> {
  const db = sqlOf(database);
  const before = sql`(select position from notifications where id = ${page.before} and user_id = ${reader.userId})`;
  const condition = sql`${filter.unread ? sql`read_at is null` : sql`true`} and ${
    page.before === null ? sql`true` : sql`position < ${before}`
  }`;
  const listed = visibleNotifications(readerOf(reader), condition, { order: 'desc', limit: page.limit + 1 });
  const unread = visibleNotifications(readerOf(reader), sql`read_at is null`, {
    order: 'desc',
    limit: mostCounted,
  });
  const [{ rows }, counted] = await Promise.all([
    sql<NotificationRow>`select ${notificationColumns} from ${listed} listed order by position desc`.execute(
      db,
    ),
    sql<{ count: number }>`select count(*)::int as count from ${unread} unread`.execute(db),
  ]);
  return { ...toCursorPage(rows, page, toNotificationRecord), unreadCount: counted.rows[0]!.count };
}
