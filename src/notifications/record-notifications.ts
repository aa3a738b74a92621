import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Sql } from '../database.ts';
import { audienceOf, type NotificationEvent } from './notification-kinds.ts';

/** Where PostgreSQL tells all processes, at the commit, whose notifications are new: a user's id. */
export const notificationChannel = 'notifications';

/** People share so many locks, a power of two: one each would, of a large organization, overflow PostgreSQL's table. */
const lockCount = 256;

/**
 * Tells whoever is concerned of what happened, within the transaction in which it happens: so nothing is lost, and
 * nothing is told that did not happen. An event is told to a person once, however often this runs.
 *
 * Let it be the last that the transaction locks: whoever tells the same people of something else waits for its end
 * (docs/decisions/notifications.md). Two statements, however many the events; one where nobody is new to them.
 *
 * @param db the transaction; behind the walls of an organization it tells of this organization's only
 */
export async function recordNotifications(db: Sql, events: NotificationEvent[], now: Date): Promise<void> {
  if (!db.isTransaction) throw new Error('Notifications are recorded in the transaction of what they tell.');
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
      from json_to_recordset(${JSON.stringify(notifications)}::json) as notification(
        "id" uuid, "organizationId" uuid, "userId" uuid, "kind" text, "subjectId" uuid, "occurrence" text,
        "title" text, "body" text, "data" jsonb
      )
      on conflict on constraint notifications_told_once do nothing
      returning user_id
    )
    select pg_notify(${notificationChannel}, user_id::text) from (select distinct user_id from told) told
  `.execute(db);
}

/**
 * Finds who is concerned and has not been told, and makes all others who tell these people of something wait for the
 * end of this transaction. In the order of the locks, so that two who tell the same people do not wait for each other.
 *
 * @returns the number of the event with each person that is to be told of it
 */
async function lockAudience(
  db: Sql,
  events: NotificationEvent[],
): Promise<{ number: number; userId: string }[]> {
  const asked = events.map(({ kind, organizationId, personId, occurrence }, number) => ({
    ...{ number, kind, organizationId, personId, occurrence, audience: audienceOf[kind] },
  }));
  const { rows } = await sql<{ number: number; userId: string }>`
    with event as (
      select * from json_to_recordset(${JSON.stringify(asked)}::json) as event(
        "number" int, "kind" text, "organizationId" uuid, "personId" uuid, "occurrence" text, "audience" text
      )
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
