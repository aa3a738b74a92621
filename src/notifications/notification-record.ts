import { sql, type RawBuilder } from 'kysely';
import type { Schemas } from '../http/contract/contract-types.ts';
import { roleIn } from '../organizations/membership.ts';
import { toIsoTime, type Stored } from '../stored-rows.ts';
import type { Notification } from './notification.entity.ts';

/** A notification as lists and streams return it. */
export type NotificationRecord = Schemas['Notification'];

/** The person who reads, and the organization that they view; null if they have no organization. */
export interface Reader {
  userId: string;
  organizationId: string | null;
}

export type NotificationRow = Stored<Omit<NotificationRecord, Moment> & Pick<Notification, Moment>>;
type Moment = 'createdAt' | 'readAt';

/** The columns of a `NotificationRow`. */
export const notificationColumns = sql.raw(
  `id, organization_id as "organizationId", kind, subject_id as "subjectId", title, body, data,
  created_at as "createdAt", read_at as "readAt"`,
);

export function toNotificationRecord(row: NotificationRow): NotificationRecord {
  const { id, organizationId, kind, subjectId, title, body, data, createdAt, readAt } = row;
  return {
    id,
    organizationId,
    kind,
    subjectId,
    title,
    body,
    data,
    createdAt: toIsoTime(createdAt),
    readAt: toIsoTime(readAt),
  };
}

/**
 * Selects the notifications that a person may see when they view an organization: those of the organization, as long as
 * they are a member, and those that belong to the person and no organization. An index returns both in the order of
 * `position`, so the cost depends only on the number of rows read.
 *
 * @param reader SQL expressions
 * @param condition a condition on `notifications`
 */
export function visibleNotifications(
  reader: { userId: RawBuilder<unknown>; organizationId: RawBuilder<unknown> },
  condition: RawBuilder<unknown>,
  { order, limit }: { order: 'asc' | 'desc'; limit: number },
): RawBuilder<unknown> {
  const sorted = sql`order by position ${sql.raw(order)} limit ${limit}`;
  const { userId, organizationId } = reader;
  return sql`(
    select * from (
      (
        select * from notifications
        where user_id = ${userId} and organization_id = ${organizationId} and ${condition}
          and ${roleIn(organizationId, userId)} is not null
        ${sorted}
      ) union all (
        select * from notifications where user_id = ${userId} and organization_id is null and ${condition}
        ${sorted}
      )
    ) visible ${sorted}
  )`;
}

/** Returns the SQL expressions of one reader, whose ids are values. */
export function readerOf({ userId, organizationId }: Reader) {
  return { userId: sql`${userId}::uuid`, organizationId: sql`${organizationId}::uuid` };
}
