import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Sql } from '../database.ts';
import { recordset } from '../recordset.ts';
import { audienceOf, type NotificationEvent } from './notification-kinds.ts';

/** The channel on which PostgreSQL informs all processes, at commit, which user has new notifications, by their id. */
export const notificationChannel = 'notifications';

/**
 * The number of locks that people share, a power of two. One lock for each person of a large organization would
 * overflow PostgreSQL's lock table.
 */
const lockCount = 256;

/**
 * Notifies the people concerned, within the transaction in which the events happen. So no notification is lost, and
 * none is sent for an event that is rolled back. A person is notified of an event once, however often this function
 * runs.
 *
 * Call it last in the transaction: other transactions that notify the same people wait for its end
 * (docs/decisions/notifications.md). It runs two statements for any number of events, or one if everyone has already
 * been notified.
 *
 * @param db the transaction; if it is restricted to an organization, it can record only this organization's events
 */
export async function recordNotifications(db: Sql, events: NotificationEvent[], now: Date): Promise<void> {
  if (!db.isTransaction)
    throw new Error('Notifications must be recorded in the transaction of their events.');
  if (events.length === 0) return;
  const people = await lockAudience(db, events);
  if (people.length === 0) return;
  const notifications = people.map(({ number, userId }) => {
    const { kind, organizationId, subjectId, occurrence, title, body, data } = events[number]!;
    return { id: uuidv7(), userId, kind, organizationId, subjectId, occurrence, title, body, data };
  });
  await sql`
    with told as (
      insert into notifications (
        id, organization_id, user_id, kind, subject_id, occurrence, title, body, data, position, created_at
      )
      select id, "organizationId", "userId", kind, "subjectId", occurrence, title, body, data,
        nextval('notification_positions'), ${now}
      from ${recordset(notifications, 'notification', {
        id: 'uuid',
        organizationId: 'uuid',
        userId: 'uuid',
        kind: 'text',
        subjectId: 'uuid',
        occurrence: 'text',
        title: 'text',
        body: 'text',
        data: 'jsonb',
      })}
      on conflict on constraint notifications_told_once do nothing
      returning user_id
    )
    select pg_notify(${notificationChannel}, user_id::text) from (select distinct user_id from told) told
  `.execute(db);
}

/**
 * Finds the people concerned who have not been notified, and locks them: other transactions that notify these people
 * wait for the end of this one. The locks are taken in a fixed order, so two transactions never deadlock.
 *
 * @returns the number of an event with each person to notify of it
 */
async function lockAudience(
  db: Sql,
  events: NotificationEvent[],
): Promise<{ number: number; userId: string }[]> {
  const asked = events.map(({ kind, organizationId, personId, occurrence }, number) => ({
    number,
    kind,
    organizationId,
    personId,
    occurrence,
    audience: audienceOf[kind],
  }));
  const { rows } = await sql<{ number: number; userId: string }>`
    with event as (
      select * from ${recordset(asked, 'event', {
        number: 'integer',
        kind: 'text',
        organizationId: 'uuid',
        personId: 'uuid',
        occurrence: 'text',
        audience: 'text',
      })}
    ), recipient as (
      select number, kind, occurrence, members.user_id
      from event join members on members.organization_id = "organizationId"
      where case
        when members.user_id = "personId" then audience in ('maker_and_managers', 'maker_or_else_managers')
        when members.role = 'member' then false
        else audience <> 'maker_or_else_managers' or not exists (
          select from members maker where maker.organization_id = "organizationId" and maker.user_id = "personId"
        )
      end
      union all
      select number, kind, occurrence, "personId" from event where audience = 'invitee'
    ), untold as materialized (
      select number, user_id, hashtext(user_id::text) & ${lockCount - 1} as key
      from recipient
      where not exists (
        select from notifications
        where notifications.user_id = recipient.user_id and notifications.kind = recipient.kind
          and notifications.occurrence = recipient.occurrence
      )
    ), locked as materialized (
      select key, pg_advisory_xact_lock(hashtext(${notificationChannel}), key)
      from (select distinct key from untold order by key offset 0) one
    )
    select number, user_id as "userId" from untold join locked using (key) order by number
  `.execute(db);
  return rows;
}
