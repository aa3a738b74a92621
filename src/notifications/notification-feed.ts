import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { sqlOf, type Database } from '../database.ts';
import type { Log } from '../log.ts';
import type { NoticeListener } from '../notice-listener.ts';
import type { EventStream } from '../streams/event-streams.ts';
import {
  notificationColumns,
  readerOf,
  toNotificationRecord,
  visibleNotifications,
  type NotificationRow,
  type Reader,
} from './notification-record.ts';
import { notificationChannel } from './record-notifications.ts';

/** How many streams one statement reads for, and how many notifications of each. */
const [streamsAtOnce, notificationsAtOnce] = [1000, 50];

/** After this a statement that failed is tried again: the database is away, or was. */
const retryMs = 250;

/** Feeds the streams of a process with notifications, whichever process made them. */
export interface NotificationFeed {
  /** Sends a reader what lies beyond a position, and then what is new to him, until his stream is closed. */
  follow: (stream: EventStream, reader: Reader, position: string) => void;
  stop: () => void;
}

interface Follower {
  stream: EventStream;
  reader: Reader;
  /** Up to here everything has been sent. */
  position: string;
}

/**
 * Makes the feed. What a notice says is only that there is something new to someone; what that is, is read from the
 * table beyond the position of each of his streams. So it makes no difference how often, when, or in which order
 * notices come, and one that is lost is made up for by the next reason to look: a stream that begins, and a
 * connection that listens again.
 */
export function createNotificationFeed(dependencies: {
  database: Database;
  notices: NoticeListener;
  log: Log;
}): NotificationFeed {
  const { database, notices, log } = dependencies;
  const ofUser = new Map<string, Set<Follower>>();
  /** Of whom there may be something new. */
  const due = new Set<Follower>();
  let isReading = false;
  let isFailing = false;
  let isStopped = false;

  function look(followers: Iterable<Follower>): void {
    for (const follower of followers) due.add(follower);
    if (!isReading) void readDue();
  }

  async function readDue(): Promise<void> {
    isReading = true;
    while (due.size > 0 && !isStopped) {
      const turn = [...due].slice(0, streamsAtOnce);
      for (const follower of turn) due.delete(follower);
      // Who is behind is looked at once he has caught up.
      const ready = turn.filter(({ stream }) => !stream.closed.aborted && !stream.isBehind);
      if (ready.length === 0) continue;
      try {
        send(ready, await readNew(database, ready));
        isFailing = false;
      } catch (error) {
        if (!isFailing)
          log.warn({ err: error }, 'notifications could not be read; it is tried until they can');
        isFailing = true;
        for (const follower of ready) due.add(follower);
        await setTimeout(retryMs);
      }
    }
    isReading = false;
  }

  function send(followers: Follower[], rows: NewRow[]): void {
    const sent = new Map<Follower, number>();
    for (const { number, position, ...row } of rows) {
      const follower = followers[number]!;
      follower.stream.send('notification', toNotificationRecord(row), position);
      follower.position = position;
      sent.set(follower, (sent.get(follower) ?? 0) + 1);
    }
    for (const [follower, count] of sent) if (count === notificationsAtOnce) due.add(follower);
  }

  function add(follower: Follower): void {
    const { stream, reader } = follower;
    const followers = ofUser.get(reader.userId) ?? new Set();
    ofUser.set(reader.userId, followers.add(follower));
    stream.onCaughtUp(() => look([follower]));
    stream.closed.addEventListener('abort', () => {
      followers.delete(follower);
      due.delete(follower);
      if (followers.size === 0 && ofUser.get(reader.userId) === followers) ofUser.delete(reader.userId);
    });
  }

  notices.subscribe({
    channel: notificationChannel,
    onListening: () => {
      for (const all of ofUser.values()) look(all);
    },
    onNotice: (userId) => look(ofUser.get(userId) ?? []),
  });
  return {
    follow: (stream, reader, position) => {
      if (stream.closed.aborted || isStopped) return;
      stream.sendId(position);
      const follower = { stream, reader, position };
      add(follower);
      // From here on notices reach it, so what was committed before is read now, and what comes after is told of.
      look([follower]);
    },
    stop: () => {
      isStopped = true;
    },
  };
}

/**
 * Finds the position beyond which a stream begins: the one its client has seen last, but none above that of the last
 * notification that the person sees, or what comes next would be passed over. There is such a one after the database
 * was restored from a dump, and in a client that made it up. Beyond the last is what he will be told from now on.
 *
 * @param seen Last-Event-ID; null: the client has seen none
 */
export async function findStart(database: Database, reader: Reader, seen: string | null): Promise<string> {
  const last = visibleNotifications(readerOf(reader), sql`true`, { order: 'desc', limit: 1 });
  // least() passes over null.
  const { rows } = await sql<{ position: string }>`
    select least(coalesce((select position from ${last} last), 0), ${seen}::bigint)::text as position
  `.execute(sqlOf(database));
  return rows[0]!.position;
}

type NewRow = NotificationRow & { number: number; position: string };

/** Reads what is new to each of the followers, in the order of its position. */
async function readNew(database: Database, followers: Follower[]): Promise<NewRow[]> {
  const readers = followers.map(({ reader, position }, number) => ({ number, ...reader, position }));
  const visible = visibleNotifications(
    { userId: sql`reader."userId"`, organizationId: sql`reader."organizationId"` },
    sql`notifications.position > reader.position`,
    { order: 'asc', limit: notificationsAtOnce },
  );
  const { rows } = await sql<NewRow>`
    select number, fresh.position::text as position, ${notificationColumns}
    from json_to_recordset(${JSON.stringify(readers)}::json) as reader(
      "number" int, "userId" uuid, "organizationId" uuid, "position" bigint
    ) cross join lateral ${visible} fresh
    order by number, fresh.position
  `.execute(sqlOf(database));
  return rows;
}
